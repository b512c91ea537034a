// Stands in for @vscode/spdlog, which is a compiled module: writes log files without rotating them.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let globalLevel = 2;

class Logger {
  /** @param {string} _type @param {string} _name @param {string} file */
  constructor(_type, _name, file) {
    this.file = file;
    this.level = globalLevel;
    this.plain = false;
    mkdirSync(dirname(file), { recursive: true });
  }
  /** @param {number} level @param {string} message */
  write(level, message) {
    if (level < this.level) return;
    const head = this.plain ? '' : `${new Date().toISOString()} [${levels[level]}] `;
    try {
      appendFileSync(this.file, `${head}${message}${this.plain ? '' : '\n'}`);
    } catch {
      // The folder is gone: the server is being taken down.
    }
  }
  /** @param {string} message */
  trace(message) {
    this.write(0, message);
  }
  /** @param {string} message */
  debug(message) {
    this.write(1, message);
  }
  /** @param {string} message */
  info(message) {
    this.write(2, message);
  }
  /** @param {string} message */
  warn(message) {
    this.write(3, message);
  }
  /** @param {string} message */
  error(message) {
    this.write(4, message);
  }
  /** @param {string} message */
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  /** @param {number} level */
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
/** @param {number} level */
exports.setLevel = (level) => {
  globalLevel = level;
};
exports.Logger = Logger;
/** @param {string} name @param {string} file */
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
/** @param {string} name @param {string} file */
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
