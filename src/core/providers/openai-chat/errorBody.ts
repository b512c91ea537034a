/**
 * A fetch that brings the error bodies of compatible servers into OpenAI's shape. The SDK reads only the field `error`
 * and drops the rest; older vLLM puts `message` at the top, FastAPI servers `detail`.
 */
export function withOpenAiErrors(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (response.ok) return response;
    const text = await response.text();
    const headers = new Headers(response.headers);
    headers.delete('content-encoding');
    headers.delete('content-length');
    return new Response(toOpenAiShape(text), { status: response.status, headers });
  };
}

function toOpenAiShape(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof body !== 'object' || body === null) return text;
  const { error, message, detail, type, code }: Record<string, unknown> = { ...body };
  if (typeof error === 'object' && error !== null) return text;
  const words = [error, message, detail].find((value) => typeof value === 'string') ?? text;
  return JSON.stringify({ error: { message: words, type, code } });
}
