/** Prompt texts are Markdown files that the bundler inlines. */
declare module '*.md' {
  const text: string;
  export default text;
}
