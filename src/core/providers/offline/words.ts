// The words of a request that are worth looking for in a workspace.

const MAX_WORDS = 6;

/** A path or file name: it has a slash between names, or an extension. */
const PATHS = /(?:[\p{L}\p{N}_@.~-]+[\\/])+[\p{L}\p{N}_@.*-]*|\.?[\p{L}\p{N}_@-][\p{L}\p{N}_@.-]*\.[A-Za-z]\w{0,9}/gu;
/** Only in quotes may a path hold blanks. */
const QUOTED_PATHS = /[`"'“]([^`"'“”\n]*\.[A-Za-z]\w{0,9})[`"'”]/gu;

export function pathsIn(text: string): string[] {
  // A web address is no file, and a dot that ends the sentence is no part of the name.
  const plain = text.replace(/https?:\/\/\S+/g, ' ');
  const quoted = [...plain.matchAll(QUOTED_PATHS)].map((match) => match[1] ?? '');
  const bare = [...plain.replace(QUOTED_PATHS, ' ').matchAll(PATHS)].map(([path]) => path.replace(/\.+$/, ''));
  return [...new Set([...quoted, ...bare])];
}

/** Identifiers and quoted words first, then the rest in their order; no path, no filler word. */
export function salientWords(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const rest = text.replace(PATHS, ' ').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const plain = rest.filter((word) => word.length >= 3 && !FILLERS.has(word.toLowerCase()));
  const identifiers = plain.filter((word) => /[a-z][A-Z]|_|\d|\$/.test(word));
  const seen = new Set<string>();
  return [...quoted, ...identifiers, ...plain]
    .map((word) => word.trim())
    .filter((word) => word !== '' && !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()))
    .slice(0, MAX_WORDS);
}

/** Finds singular and plural alike: the pattern is a part of the word anyway. */
export function searchForm(word: string): string {
  return /^[a-z]{2,}[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A regular expression that matches any of the words. */
export function anyOf(words: readonly string[]): string {
  return words.map((word) => escapePattern(searchForm(word))).join('|');
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

const FILLERS = new Set(
  `the and for are was were does did has have had how what where when why who which whose that this these those there
  here with from into onto about above below between please could would should can will may might must shall you your
  our ours its his her their them they she him not but all any some each every more most much many tell show give find
  look explain describe help need want know think make let get got see use used using work works working code file files
  folder folders project workspace repository repo program application app line lines thing things defined define
  implemented implement happens happen happening structure structured organised organized mean means say says contain contains exactly just only also than then
  bitte kannst können könntest wie was wer welche welcher welches warum wieso und oder der die das den dem des ein eine
  einen einem einer ist sind war wird werden hat haben nicht kein keine mit von für auf aus bei nach über unter zum zur
  ich mir mich sie wir ihr mein dein uns hier dort dieser diese dieses datei dateien ordner projekt zeige zeig erkläre
  que qué cuál cuáles cómo como dónde donde onde quem quién cuándo quando por para con com los las del una uno uns umas
  este esta esto isto isso esse essa eso esa hay tem están está são ser estar fue foi não pero mas más mais muy muito
  archivo archivos arquivo arquivos ficheiro ficheiros carpeta carpetas pasta pastas proyecto projeto puedes pode podes
  favor explica explique`.split(/\s+/),
);
