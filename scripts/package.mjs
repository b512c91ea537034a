// Packs out/steiner.vsix: `code --install-extension out/steiner.vsix` installs it.
import { packVsix } from './lib/vsix.mjs';

console.log(await packVsix());
