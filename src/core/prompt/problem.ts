/** An instruction file that is there but does not reach the model, told to the user. */
export interface PromptProblem {
  path: string;
  /** A whole sentence without its path, e.g. `It is a folder.` */
  reason: string;
  /** What the user can do about it. */
  advice: string;
}
