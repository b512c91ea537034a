// Stands in for @vscode/native-watchdog, which is a compiled module: our launcher ends the server itself.
exports.start = () => {};
exports.exit = (code) => process.exit(code ?? 0);
