// How servers say that a prompt does not fit. Statuses do not help: most answer 400, some 413, 500 or an error inside
// a 200 stream, so the words decide.

interface TooLongWording {
  server: string;
  pattern: RegExp;
}

export const TOO_LONG_WORDINGS: readonly TooLongWording[] = [
  { server: 'OpenAI, code', pattern: /context_length_exceeded/i },
  { server: 'OpenAI Responses', pattern: /exceeds the context window/i },
  { server: 'OpenAI, more tokens than the rate tier ever allows', pattern: /^(\d+ )?request too large for /i },
  { server: 'OpenAI Chat, vLLM, OpenRouter, Mistral', pattern: /maximum context length/i },
  { server: 'Anthropic, prompt', pattern: /prompt is too long/i },
  { server: 'Anthropic, prompt and answer', pattern: /exceed context limit/i },
  {
    server: 'Anthropic, bytes',
    pattern: /request_too_large|request exceeds the maximum (allowed )?(size|number of bytes)/i,
  },
  { server: 'llama.cpp', pattern: /exceed_context_size_error|exceeds? the available context size/i },
  { server: 'vLLM, decoder prompt', pattern: /longer than the maximum model length/i },
  { server: 'vLLM, tokens passed', pattern: /model's context length is only/i },
  { server: 'Ollama', pattern: /prompt too long; exceeded max context length/i },
  { server: 'Ollama, embeddings of the prompt', pattern: /input length exceeds (the |maximum )?context length/i },
  { server: 'LM Studio, llama.cpp engine', pattern: /when context the overflows|greater than the context length/i },
  { server: 'LM Studio, MLX engine', pattern: /context size has been exceeded/i },
  { server: 'Groq', pattern: /reduce the length of the messages/i },
  { server: 'xAI', pattern: /maximum prompt length is/i },
  { server: 'Gemini', pattern: /input token count .*exceeds the maximum number of tokens/i },
  { server: 'Bedrock', pattern: /input is too long for/i },
  { server: 'others', pattern: /context (length|window) (is |was )?exceeded/i },
];

/** A limit of tokens per minute is not a limit of the window: waiting helps there, compaction does not. */
const RATE_WORDING = /rate.?limit|tokens per (minute|day)|per-minute|quota/i;

export function saysTooLong(text: string): boolean {
  const wording = TOO_LONG_WORDINGS.find(({ pattern }) => pattern.test(text));
  if (!wording) return false;
  return wording.server.startsWith('OpenAI, more tokens') || !RATE_WORDING.test(text);
}
