// Stands in for @vscode/spdlog, which is a compiled module: writes log files without rotating them.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let globalLevel = 2;

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = globalLevel;
    this.plain = false;
    mkdirSync(dirname(file), { recursive: true });
  }
  write(level, message) {
    if (level < this.level) return;
    const head = this.plain ? '' : `${new Date().toISOString()} [${levels[level]}] `;
    try {
      appendFileSync(this.file, `${head}${message}${this.plain ? '' : '\n'}`);
    } catch {
      // The folder is gone: the server is being taken down.
    }
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.plain = true;
  }
  flush() {}
  drop() {}
}

exports.version = 0;
exports.setFlushOn = () => {};
exports.setLevel = (level) => {
  globalLevel = level;
};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
