// Stands in for @vscode/native-watchdog, which is a compiled module: our launcher ends the server itself.
exports.start = () => {};
/** @param {number} [code] */
exports.exit = (code) => process.exit(code ?? 0);
