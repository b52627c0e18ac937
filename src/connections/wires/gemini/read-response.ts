import type { ConversationForm } from '../../../entries/adapter.ts'
import type { GeminiPart, GeminiResponse, GeminiWire } from './gemini-wire.ts'

type Form = ConversationForm<GeminiWire>

/**
 * Reads an answer. Nothing counts of one without an end, or without a candidate because the prompt was blocked.
 *
 * The calls count, not the reason for the end: it is `STOP` with them and without. Of an answer that ended for any
 * other reason but a limit of tokens, such as a filter, no call runs.
 *
 * Parts are sent back unchanged, with their signatures, except for what the provider refuses or does not read: empty
 * texts, and, at the end of an answer that was cut, thoughts that led to nothing.
 */
export function readResponse({ candidates }: GeminiResponse): ReturnType<Form['answer']> {
  const [{ finishReason: reason, content } = {}] = candidates ?? []
  if (!reason) return null
  const isAtLimit = reason === 'MAX_TOKENS'
  const isCut = isAtLimit || reason !== 'STOP'
  // An empty text may carry a signature.
  const all = (content?.parts ?? []).filter((part) => (part.text ?? '') !== '' || !isText(part))
  const end = isCut ? all.findLastIndex(({ thought }) => thought !== true) + 1 : all.length
  const parts = all.slice(0, end)
  return {
    status: isCut ? 'cut' : 'done',
    ...(isCut && !isAtLimit && { stopped: reason }),
    calls: parts.flatMap(({ functionCall: call }, index) => {
      if (!call) return []
      const { id, name = '', args: input = {} } = call
      const isLast = index === parts.length - 1
      // Vertex AI streams the arguments of a call in pieces where the host asks for it.
      const isPiece = 'partialArgs' in call || 'willContinue' in call
      return [{ id, name, input, isCut: (isAtLimit && isLast) || isPiece }]
    }),
    items: (calls) => {
      if (parts.length === 0) return []
      let next = 0
      const sent = parts.map((part): GeminiPart => {
        const call = part.functionCall && calls[next++]
        if (!call) return part
        const { id, name, input } = call
        return { ...part, functionCall: { id, name, args: input as Record<string, unknown> } }
      })
      return [{ role: 'model', parts: sent }]
    },
  }
}

/** Reads the tokens of an answer. Those of thoughts are not among the provider's "candidatesTokenCount". */
export function readTokens({
  modelVersion: model,
  usageMetadata: usage = {},
}: GeminiResponse): ReturnType<NonNullable<Form['usage']>> {
  const { promptTokenCount: input, cachedContentTokenCount: cached = 0 } = usage
  if (input === undefined) return null
  const { candidatesTokenCount: written = 0, thoughtsTokenCount: reasoning } = usage
  return {
    ...(model !== undefined && { model }),
    usage: {
      input,
      cached,
      output: written + (reasoning ?? 0),
      ...(reasoning !== undefined && { reasoning }),
    },
  }
}

/**
 * Merges the chunks of a streamed answer into one. Calls and signatures come in a part of their own; only texts are
 * in pieces. What comes once, such as the tokens, is that of the last chunk that has it.
 */
export function mergeChunks(chunks: readonly GeminiResponse[]): GeminiResponse {
  const parts: GeminiPart[] = []
  for (const part of chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])) {
    const last = parts.at(-1)
    if (last && isText(last) && isText(part) && last.thought === part.thought) {
      parts[parts.length - 1] = { ...last, text: `${last.text ?? ''}${part.text ?? ''}` }
    } else parts.push(part)
  }
  const [first = {}] = chunks
  // An object of the client's own class has its getters, such as "text".
  const merged = Object.create(Object.getPrototypeOf(first) as object) as GeminiResponse
  for (const chunk of chunks) {
    for (const [name, value] of Object.entries(chunk)) {
      if (value !== undefined) Object.assign(merged, { [name]: value as unknown })
    }
  }
  const ended = chunks.flatMap(({ candidates }) => candidates?.[0] ?? [])
  if (ended.length === 0) return merged
  const candidate = Object.assign({}, ...ended) as NonNullable<GeminiResponse['candidates']>[0]
  const content = { role: 'model', ...candidate.content, parts }
  return Object.assign(merged, { candidates: [{ ...candidate, content }] })
}

/** Returns true for a text or a thought that carries nothing else, such as a signature. */
function isText(part: GeminiPart): boolean {
  return Object.keys(part).every((name) => name === 'text' || name === 'thought')
}
