import { type ConversationForm, providerTool } from '../../../entries/adapter.ts'
import { tryOrUndefined } from '../../../entries/kit.ts'
import type {
  GeminiContent,
  GeminiPart,
  GeminiRequest,
  GeminiResponse,
  GeminiWire,
} from './gemini-wire.ts'
import { mergeChunks, readResponse, readTokens } from './read-response.ts'

type Form = ConversationForm<GeminiWire>

type Result = Parameters<Form['results']>[0][number]

/** The form of the Gemini API. */
export const GEMINI_CONTENTS: Form = {
  options: { model: 'text', config: 'object' },
  ways: ['files'],
  // Models before Gemini 3 take none: google-gemini/gemini-cli#19436.
  refusals: [
    { ways: ['files'], words: /function_?response\W*parts|multimodal|mime|image|media/iu },
  ],
  hasWholeAnswers: true,
  idLength: 256,
  withoutFiles,
  pieces: splitContent,
  read: readPiece,
  results: (results) =>
    results.length === 0 ? [] : [{ role: 'user', parts: results.map(resultPart) }],
  text: (text) => ({ role: 'user', parts: [{ text }] }),
  tool: (tool) => providerTool(tool, 'gemini-json'),
  group(items, role) {
    const sent = items.map(withoutMadeIds)
    if (role !== 'results') return sent
    return [{ role: 'user', parts: sent.flatMap(({ parts = [] }) => parts) }]
  },
  request: ({ step: { instructions }, options: { model, config }, tools, leading, messages }) => ({
    ...(model !== undefined && { model }),
    contents: [...leading, ...messages],
    config: mergeConfig(config, instructions, tools),
  }),
  answer: readResponse,
  usage: readTokens,
  open({ models }, { contents, model, signal, onChunk }) {
    return {
      history: contents,
      async send(request) {
        const params = {
          ...(request as GeminiRequest & { model: string }),
          ...(model !== undefined && { model }),
          config: { ...request.config, ...(signal && { abortSignal: signal }) },
        }
        if (onChunk === undefined) return models.generateContent(params)
        const chunks: GeminiResponse[] = []
        for await (const chunk of await models.generateContentStream(params)) {
          chunks.push(chunk)
          onChunk(chunk)
        }
        return mergeChunks(chunks)
      },
    }
  },
}

/** A `config` of the host: its system text is in any of the forms that the client takes. */
interface OwnConfig {
  readonly systemInstruction?:
    GeminiContent | GeminiPart | string | readonly (GeminiPart | string)[]
  readonly tools?: NonNullable<GeminiRequest['config']['tools']>
}

function mergeConfig(
  config: OwnConfig = {},
  instructions: string,
  tools: readonly GeminiWire['tool'][],
): GeminiRequest['config'] {
  const { systemInstruction: own, tools: first = [], ...others } = config
  const system = mergeSystem(own, instructions)
  const all = [...first, ...(tools.length > 0 ? [{ functionDeclarations: [...tools] }] : [])]
  return {
    ...others,
    ...(system !== undefined && { systemInstruction: system }),
    ...(all.length > 0 && { tools: all }),
    automaticFunctionCalling: { disable: true },
  }
}

function mergeSystem(
  own: OwnConfig['systemInstruction'],
  text: string,
): GeminiRequest['config']['systemInstruction'] {
  if (own === undefined || own === '') return text === '' ? undefined : text
  if (typeof own === 'string') return text === '' ? own : `${own}\n\n${text}`
  const isContent = 'parts' in own
  const parts = isContent ? (own.parts ?? []) : [own as GeminiPart | string | []].flat()
  const written = parts.map((part) => (typeof part === 'string' ? { text: part } : part))
  const content = isContent ? own : { role: 'user' }
  return { ...content, parts: [...written, ...(text === '' ? [] : [{ text }])] }
}

/**
 * Splits a message with results into one message for each result, and one for what follows them. Calls and results
 * without an id get one by their name and their place among those of this name.
 */
function splitContent(content: GeminiContent): readonly GeminiContent[] {
  const { role = 'user', parts: given = [] } = content
  const counts = new Map<string, number>()
  const id = (name = '') => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `#${count} ${name}`
  }
  const parts = given.map((part): GeminiPart => {
    const { functionCall: call, functionResponse: response } = part
    if (call && !call.id) return { ...part, functionCall: { ...call, id: id(call.name) } }
    return response && !response.id
      ? { ...part, functionResponse: { ...response, id: id(response.name) } }
      : part
  })
  if (role === 'model') return [{ ...content, parts }]
  const results = parts.filter(({ functionResponse }) => functionResponse)
  if (results.length === 0) return [content]
  const others = parts.filter(({ functionResponse }) => !functionResponse)
  return [
    ...results.map((part) => ({ role: 'user', parts: [part] })),
    ...(others.length > 0 ? [{ role: 'user', parts: others }] : []),
  ]
}

/** Reads a piece of a message. */
function readPiece(piece: GeminiContent): ReturnType<Form['read']> {
  const { role, parts = [] } = piece
  const sent = withoutMadeIds(piece)
  if (role === 'model') {
    const calls = parts.flatMap(({ functionCall: call }) => {
      return call ? [{ id: call.id ?? '', name: call.name ?? '', input: call.args ?? {} }] : []
    })
    return { role: 'assistant', calls, sent }
  }
  const [{ functionResponse } = {}] = parts
  if (!functionResponse) return { role: 'user' }
  const { id: call = '', response = {} } = functionResponse
  const said = response['error'] ?? response['output'] ?? response
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  const outcome = 'error' in response ? { outcome: 'failed' as const } : {}
  return { role: 'results', result: { call, text, ...outcome }, sent }
}

/** The ids of calls that the provider gave none: made for a new answer, or for a history of another program. */
const MADE = /^(?:call_[\da-f]{24}$|#\d+ )/u

/**
 * Returns the message to send: without ids that the provider did not give. Google's own Agent Development Kit does the
 * same. The provider finds the result by its name and place.
 */
function withoutMadeIds(content: GeminiContent): GeminiContent {
  const { parts = [] } = content
  const hasOne = ({ functionCall: call, functionResponse: response }: GeminiPart) =>
    MADE.test(call?.id ?? response?.id ?? '')
  if (!parts.some(hasOne)) return content
  const sent = parts.map((part): GeminiPart => {
    if (!hasOne(part)) return part
    const { functionCall: call, functionResponse: response, ...others } = part
    if (call) {
      const { id: _, ...functionCall } = call
      return { ...others, functionCall }
    }
    const { id: _, ...functionResponse } = response ?? {}
    return { ...others, functionResponse }
  })
  return { ...content, parts: sent }
}

/** Returns a message without the files of results: the message itself where it has none. */
function withoutFiles(content: GeminiContent): GeminiContent {
  const { parts = [] } = content
  if (!parts.some(({ functionResponse }) => functionResponse?.parts)) return content
  const described = parts.map((part): GeminiPart => {
    if (!part.functionResponse?.parts) return part
    const { parts: _, ...functionResponse } = part.functionResponse
    return { ...part, functionResponse }
  })
  return { ...content, parts: described }
}

/** Writes a result. Its text describes its files, too. */
function resultPart({ id, name, text, parts = [], isError }: Result): GeminiPart {
  const files = parts.flatMap((part) =>
    (part.kind === 'image' || part.kind === 'file') && part.mediaType !== 'image/gif'
      ? { inlineData: { mimeType: part.mediaType, data: part.data } }
      : [],
  )
  const response = { [isError ? 'error' : 'output']: dataInText(text) }
  const file = files.length > 0 && { parts: files }
  return { functionResponse: { id, name, response, ...file } }
}

/** Returns the data that a text is, where it says exactly the same; else the text. */
function dataInText(text: string): unknown {
  if (!/^[[{]/u.test(text)) return text
  const data = tryOrUndefined(() => JSON.parse(text) as unknown)
  return JSON.stringify(data) === text ? data : text
}
