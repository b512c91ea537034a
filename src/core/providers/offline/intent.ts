// What the user asks for, as far as fixed rules can tell. English, with the verbs of a few other languages.
import { pathsIn, salientWords } from './words.ts';

export type Intent =
  | { kind: 'list'; path?: string | undefined }
  | { kind: 'glob'; pattern: string }
  | { kind: 'search'; text: string; path?: string | undefined }
  | { kind: 'read'; path: string; from?: number | undefined; to?: number | undefined }
  | { kind: 'replace'; path: string; from: string; to: string }
  | { kind: 'replace_line'; path: string; line: number; text: string }
  | { kind: 'create'; path: string; content: string }
  /** A new file whose content is described, not spelled out. */
  | { kind: 'described_file'; path: string }
  | { kind: 'run'; command: string }
  /** Work that needs understanding: the places are found, the work is declined. */
  | { kind: 'question'; words: string[]; paths: string[]; beyond: boolean }
  /** Two jobs in one sentence, the second about what the first finds. */
  | { kind: 'several_things' }
  | { kind: 'small_talk' };

type Rule = (text: string) => Intent | undefined;

export function intentOf(question: string): Intent {
  const text = question.trim().replace(POLITE, '');
  for (const rule of RULES) {
    const intent = rule(text);
    if (intent) return intent;
  }
  return questionOf(text);
}

const POLITE = /^(?:(?:please|could you|can you|would you|now|then|bitte|kannst du|por favor|puedes|pode)[, ]+)+/i;
const IN_FILE = String.raw`(?:in|inside|within|of|im|en|em|de)\s+(?:(?:the\s+)?file\s+|der\s+Datei\s+|el\s+archivo\s+|o\s+arquivo\s+)?`;
const REPLACE_VERB = `(?:replace|change|rename|substitute|ersetze|ändere|reemplaza|cambia|substitua|troque|mude)`;

const QUOTED = `"[^"]+"|'[^']+'|\`[^\`]+\`|“[^”]+”`;
/** What people say before the text that they mean. */
const THE_WORD = String.raw`(?:(?:the|each|every|das|el|la|o|a)\s+(?:word|text|phrase|string|name|wort|palabra|palavra|texto)\s+|(?:all|every)\s+occurrences?\s+of\s+)?`;
const BY = '(?:with|by|to|into|durch|zu|por|con|para)';

const replaceLine: Rule = (text) => {
  const match =
    new RegExp(
      String.raw`^(?:change|set|replace|edit|make)\s+line\s+(?<line>\d+)\s+${IN_FILE}(?<path>\S+)\s+(?:to|with|into|as|:)\s*(?<text>.+)$`,
      'isu',
    ).exec(text) ??
    /^in\s+(?<path>\S+?),?\s+(?:change|set|replace|edit)\s+line\s+(?<line>\d+)\s+(?:to|with|into|as|:)\s*(?<text>.+)$/isu.exec(
      text,
    );
  const { line, path, text: written } = match?.groups ?? {};
  if (!line || !path || written === undefined) return undefined;
  return { kind: 'replace_line', path: unquoted(path), line: Number(line), text: unquoted(written) };
};

/** The file may stand behind the texts, or before them: `In FILE replace X with Y`. */
const replace: Rule = (text) => {
  const match =
    new RegExp(
      String.raw`^${REPLACE_VERB}\s+${THE_WORD}(?<from>${QUOTED}|.+?)\s+${BY}\s+(?<to>.+)\s+${IN_FILE}(?<path>[^\s]+?)[.!]?$`,
      'isu',
    ).exec(text) ??
    new RegExp(
      String.raw`^(?:${IN_FILE}(?<path>${QUOTED}|\S+?),?\s+(?:please\s+)?${REPLACE_VERB})\s+${THE_WORD}(?<from>${QUOTED}|.+?)\s+${BY}\s+${THE_WORD}(?<to>${QUOTED}|.+?)[.!]?$`,
      'isu',
    ).exec(text);
  const { from, to, path } = match?.groups ?? {};
  if (!from || to === undefined || !path || !looksLikePath(path)) return undefined;
  return { kind: 'replace', path: unquoted(path), from: unquoted(from), to: unquoted(to) };
};

const NEW_FILE = String.raw`^(?:create|write|add|make|generate|erstelle|crea|crie)\s+(?:me\s+)?(?:an?\s+|the\s+|eine?\s+|un\s+|um\s+)?(?:new\s+|neue\s+)?(?:(?:text\s+)?file\s+|datei\s+|archivo\s+|arquivo\s+)?(?:called\s+|named\s+)?(?<path>${QUOTED}|\S+?)`;

/** The content is in quotes, or announced by a word or a colon; all else would be a description of it. */
const create: Rule = (text) => {
  const match = new RegExp(
    String.raw`${NEW_FILE}\s+(?:(?:with|containing|mit|con|com)(?:\s+(?:(?:the|dem|el|o)\s+)?(?:content|contents|text|inhalt|contenido|conteúdo)\b\s*:?|\s*:)|(?:with|containing|mit|con|com|that\s+(?:says|contains|reads))\s+(?=(?:${QUOTED})[.!]?$))\s*(?<content>(?:${QUOTED})(?=[.!]?$)|.+)`,
    'isu',
  ).exec(text);
  const { path, content } = match?.groups ?? {};
  if (!path || !content || !looksLikePath(path)) return undefined;
  return { kind: 'create', path: unquoted(path), content: unquoted(content) };
};

const describedFile: Rule = (text) => {
  const path = new RegExp(String.raw`${NEW_FILE}(?=[.!]?$|,?\s)`, 'isu').exec(text)?.groups?.path;
  return path && looksLikePath(path) ? { kind: 'described_file', path: unquoted(path) } : undefined;
};

const severalThings: Rule = (text) =>
  /^(?:search|grep|find|look|list|show|read|open|locate)\b.*\b(?:and|then)\s+(?:then\s+)?(?:run|execute|fix|change|edit|delete|remove|rename|merge|update|suggest|explain|tell|report|improve|summari[sz]e)\s+(?:it|them|these|those|this|that|the|all|each|every|any|me|what|how|why|which|where)\b/isu.test(
    text,
  )
    ? { kind: 'several_things' }
    : undefined;

/** `run the tests` names no command; `run npm test` does. */
const run: Rule = (text) => {
  const match =
    /^(?:run|execute|exec|führe|starte|ejecuta|corre|rode|execute)\s+(?:(?:the\s+|this\s+|den\s+|el\s+|o\s+)?(?:command|befehl|comando)\s*:?\s*)?(?<command>.+)$/isu.exec(
      text,
    );
  const command = unquoted(
    (match?.groups?.command ?? '').replace(/\s+aus[.!]?$/u, '').replace(/\s+again[.!]?$/u, ''),
  ).trim();
  if (command === '' || /^(?:the|all|my|our|a|an|it|this|that|alle|die|das|den|los|las|el|la|os|as|o)\s/i.test(command))
    return undefined;
  return { kind: 'run', command: command.replace(/(?<=\w)[.!]$/, '') };
};

const glob: Rule = (text) => {
  const pattern = /(?:^|[\s`"'])((?:[\w@.-]*[\\/])*[\w@.-]*\*[\w@.*\\/{},-]*)/u.exec(text)?.[1];
  if (
    pattern &&
    /\b(list|find|search|show|which|what|files?|dateien|archivos|arquivos|finde|busca|liste|lista)\b/i.test(text)
  ) {
    return { kind: 'glob', pattern: pattern.includes('/') ? pattern : `**/${pattern}` };
  }
  const named = /^(?:find|locate|finde|busca|procure)\s+(?:the\s+|all\s+)?files?\s+(?:named|called|like)\s+(\S+)/i.exec(
    text,
  )?.[1];
  return named ? { kind: 'glob', pattern: `**/*${unquoted(named)}*` } : undefined;
};

const list: Rule = (text) => {
  const verb = /^(?:list|ls|dir|liste|lista|listar)\b/i.test(text);
  const asksForFiles =
    /^(?:show|what|which|zeige?|welche|muestra|cuáles|qué|mostre|quais|que)\b.*\b(?:files|folders|dateien|ordner|archivos|carpetas|ficheros|arquivos|pastas)\b/iu.test(
      text,
    );
  if (!verb && !asksForFiles) return undefined;
  const folder =
    /\b(?:in|of|under|im|en|em|de|ls)\s+(?:the\s+)?(?:folder\s+|directory\s+)?[`"']?([\w@./\\-]+)[`"']?(?:\s+folder)?[.?!]?$/iu.exec(
      text,
    )?.[1];
  const named =
    folder &&
    !/^(?:this|the|workspace|project|folder|here|repo|repository|projekt|proyecto|projeto|workspace\.)$/i.test(folder)
      ? folder
      : pathsIn(text)[0];
  return { kind: 'list', path: named?.replace(/[\\/.]+$/, '') || undefined };
};

const read: Rule = (text) => {
  if (
    !/^(?:read|open|show|cat|print|display|view|lies|lese|zeige?|öffne|lee|abre|muestra|leia|abra|mostre)\b/iu.test(
      text,
    )
  )
    return undefined;
  const path = pathsIn(text)[0] ?? /^(?:read|open|cat|lies|lee|leia)\s+[`"']?([\w@./\\-]+)[`"']?$/iu.exec(text)?.[1];
  if (!path) return undefined;
  if (/[\\/]$/.test(path)) return { kind: 'list', path: path.slice(0, -1) };
  const lines = /\b(?:lines?|zeilen?|líneas?|linhas?)\s+(\d+)(?:\s*(?:-|–|to|until|bis|a|hasta|até)\s*(\d+))?/iu.exec(
    text,
  );
  const from = lines?.[1] ? Number(lines[1]) : undefined;
  return { kind: 'read', path, from, to: lines?.[2] ? Number(lines[2]) : from };
};

const search: Rule = (text) => {
  const match =
    /^(?:search|grep|find|look|suche|such|finde|busca|buscar|procura|procure|busque|encontre|encuentra)\s+(?:(?:for|nach|por|all|every|the|uses of|occurrences of|text|word)\s+)*(?<text>.+?)(?:\s+(?:in|under|im|en|em)\s+(?<path>\S+?))?[.?!]?$/isu.exec(
      text,
    );
  const { text: wanted, path } = match?.groups ?? {};
  if (!wanted || isClause(wanted)) return undefined;
  const isPlace = path !== undefined && !/^(?:this|the|workspace|project|code)$/i.test(path);
  return { kind: 'search', text: unquoted(wanted), path: isPlace ? unquoted(path) : undefined };
};

/** A sentence stands in no line of code as it is; its words may. */
function isClause(text: string): boolean {
  if (unquoted(text) !== text) return false;
  return /^(?:where|how|what|why|which|who|out|at|into|through)\s/i.test(text) || text.split(/\s+/).length > 3;
}

const smallTalk: Rule = (text) =>
  text === '' ||
  /^(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|good|help|hallo|danke|hola|gracias|olá|oi|obrigad[oa]|test|who are you|what can you do)\b[\s\S]{0,12}$/iu.test(
    text,
  )
    ? { kind: 'small_talk' }
    : undefined;

const RULES: readonly Rule[] = [
  smallTalk,
  replaceLine,
  replace,
  create,
  describedFile,
  severalThings,
  run,
  glob,
  list,
  read,
  search,
];

const BEYOND =
  /^(?:fix|implement|write|refactor|add|build|design|optimi[sz]e|translate|improve|rewrite|debug|generate|review|migrate|create|remove|delete|run|make|update|rename|replace|change|move|behebe|schreibe|implementiere|baue|ersetze|escribe|implementa|corrige|arregla|escreva|implemente|corrija)\b/iu;

function questionOf(text: string): Intent {
  // The verb of the work that is asked for is no word to look for.
  const words = salientWords(text.replace(BEYOND, ''));
  return { kind: 'question', words, paths: pathsIn(text), beyond: BEYOND.test(text) };
}

function looksLikePath(text: string): boolean {
  return (
    pathsIn(text).length > 0 || /^[`"'].+[`"']$/.test(text) || /^[A-Z][A-Za-z]+file$/.test(text) || text.startsWith('.')
  );
}

/** Without the quotes or backticks around it. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  return (
    /^(?:`([\s\S]*)`|"([\s\S]*)"|'([\s\S]*)'|“([\s\S]*)”|«([\s\S]*)»)$/
      .exec(trimmed)
      ?.slice(1)
      .find((part) => part !== undefined) ?? trimmed
  );
}
