// What stands before the conversation is assembled again for every generation and every turn; this keeps the parts
// that did not change. One cache per session.
import type { AgentsFilesResult } from './agentsFiles.ts';
import { Memo } from './memo.ts';
import type { ProjectContextResult } from './projectContext.ts';

export class StaticContextCache {
  /** Rebuilt only when one of the preamble's inputs changes. */
  readonly preamble = new Memo<string>();
  /** The three partitions that come from files. */
  readonly agents = new Memo<AgentsFilesResult>();
  readonly project = new Memo<ProjectContextResult>();
  readonly skills = new Memo<string>();
  #scope: string | undefined;

  /**
   * Drops the partitions that come from files when `scope` differs from the last one. A scope is a stretch in which
   * files count as unchanged: one turn of one session, so that an edited AGENTS.md is seen at the next turn.
   */
  beginScope(scope: string): void {
    if (scope === this.#scope) return;
    this.#scope = scope;
    for (const partition of [this.agents, this.project, this.skills]) partition.drop();
  }
}
