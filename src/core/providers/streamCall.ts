import { ProviderError, type StreamEvent } from './provider.ts';

interface StreamCall<Chunk> {
  signal: AbortSignal;
  /** Sends the request; resolves when the server has begun to answer. */
  open(): Promise<AsyncIterable<Chunk>>;
  translate(chunks: AsyncIterable<Chunk>): AsyncIterable<StreamEvent>;
  /** `began`: the server had begun to answer. */
  toError(error: unknown, began: boolean): ProviderError;
}

/**
 * Runs one call of any wire under the rules of `Provider.stream`: an abort ends it at once with the signal's
 * reason, everything else that goes wrong becomes a ProviderError.
 */
export async function* streamCall<Chunk>(call: StreamCall<Chunk>): AsyncGenerator<StreamEvent> {
  const { signal } = call;
  let began = false;
  try {
    signal.throwIfAborted();
    const chunks = await call.open();
    began = true;
    for await (const event of call.translate(chunks)) {
      yield event;
      // Events that were buffered before the abort are not handed on.
      signal.throwIfAborted();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ProviderError ? error : call.toError(error, began);
  }
}
