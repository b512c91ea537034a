// Tools over a workspace in memory, with results in the form of the real ones.
import type { MadeCall, RunTool, ToolAnswer } from './conversation.ts';

export class MemoryWorkspace {
  readonly files: Map<string, string>;
  readonly commands: string[] = [];

  constructor(files: Record<string, string>) {
    this.files = new Map(Object.entries(files));
  }

  readonly run: RunTool = ({ name, input }: MadeCall): ToolAnswer => {
    switch (name) {
      case 'list':
        return this.#list(text(input.path));
      case 'glob':
        return found(this.#glob(text(input.pattern)));
      case 'grep':
        return found(this.#grep(text(input.pattern), text(input.path)));
      case 'read':
        return this.#read(input);
      case 'edit':
        return this.#edit(input);
      case 'write':
        this.files.set(text(input.path), text(input.content));
        return { content: `Wrote ${text(input.path)}.` };
      case 'bash':
        this.commands.push(text(input.command));
        return text(input.command).startsWith('false')
          ? { content: 'some output\n[Exit code 1.]', isError: true }
          : { content: `ran ${text(input.command)}` };
      default:
        return { content: `no tool ${name}`, isError: true };
    }
  };

  #list(folder: string): ToolAnswer {
    const prefix = folder === '' || folder === '.' ? '' : `${folder}/`;
    const names = [...this.files.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length))
      .map((rest) => (rest.includes('/') ? `${rest.slice(0, rest.indexOf('/'))}/` : `${rest}  10 bytes`));
    if (names.length === 0) return { content: `There is no folder ${folder}.`, isError: true };
    return { content: [...new Set(names)].sort().join('\n') };
  }

  #glob(pattern: string): string[] {
    const source = pattern
      .split(/(\*\*\/|\*)/)
      .map((piece) =>
        piece === '**/' ? '(?:.*/)?' : piece === '*' ? '[^/]*' : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('');
    const matcher = new RegExp(`^${source}$`);
    return [...this.files.keys()].filter((path) => matcher.test(path)).sort();
  }

  #grep(pattern: string, below: string): string[] {
    const matcher = new RegExp(pattern, 'i');
    return [...this.files].flatMap(([path, content]) =>
      path === below || path.startsWith(below === '' ? '' : `${below}/`)
        ? content.split('\n').flatMap((line, index) => (matcher.test(line) ? [`${path}:${index + 1}:${line}`] : []))
        : [],
    );
  }

  #read({ path, offset = 1, limit = 2_000 }: Record<string, unknown>): ToolAnswer {
    const content = this.files.get(text(path));
    if (content === undefined) return { content: `There is no file ${text(path)}.`, isError: true };
    const rows = content.split('\n').map((line, index) => `${String(index + 1).padStart(3)}\t${line}`);
    return { content: rows.slice(Number(offset) - 1, Number(offset) - 1 + Number(limit)).join('\n') };
  }

  #edit(input: Record<string, unknown>): ToolAnswer {
    const path = text(input.path);
    const parts = this.files.get(path)?.split(text(input.old_text)) ?? [];
    if (parts.length < 2 || (parts.length > 2 && input.replace_all !== true)) {
      return { content: `old_text stands in ${parts.length - 1} places.`, isError: true };
    }
    this.files.set(path, parts.join(text(input.new_text)));
    return { content: `Edited ${path}.` };
  }
}

function found(rows: string[]): ToolAnswer {
  return { content: rows.length > 0 ? rows.join('\n') : '[No matches.]' };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
