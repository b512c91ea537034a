/** What a model can take and do, as far as it is known. */
export interface ModelCapabilities {
  /** Tokens. */
  contextWindow: number;
  /** Tokens. */
  maxOutputTokens: number;
  cache: { kind: 'explicit' | 'automatic' | 'none'; ttlMs: number; minTokens: number };
  thinking: boolean;
  /** The provider owns the transcript: it keeps what it was sent and goes on from a backend state. */
  stateful?: true;
  /** The figures are ours and not from a table or the provider. */
  assumed: boolean;
}
