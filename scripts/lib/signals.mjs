// Makes signals run the exit hooks, which end what was started; by default Node dies of them without a word.
import { constants } from 'node:os';

export function exitOnSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
