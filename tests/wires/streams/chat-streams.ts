import type { RawAnswer } from '../server/answer.ts'
import type { JsonObject } from '../wire.ts'

/** A stream of Chat Completions as some server sends it. */
export interface ChatStream {
  /** The repository and number of the issue that reports it. */
  readonly name: string
  readonly issue: string
  /** The odd thing about it, as a sentence. */
  readonly quirk: string
  /** The deltas and finish reasons, in order; a member `error` is sent as it is. */
  readonly parts: readonly Part[]
  /** The stream ends without its end marker. */
  readonly isOpenEnded?: true
}

type Part =
  { readonly delta: JsonObject; readonly finish?: string } | { readonly error: JsonObject }

const ROLE: Part = { delta: { role: 'assistant', content: '' } }

const CALLS: Part = { delta: {}, finish: 'tool_calls' }

const STOP: Part = { delta: {}, finish: 'stop' }

/** A part of the call `add({ "x": 1 })`: members that are undefined are not sent. */
function call(own: JsonObject = {}, inner: JsonObject = {}): Part {
  const whole = { name: 'add', arguments: '{"x":1}', ...inner }
  return {
    delta: { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: whole, ...own }] },
  }
}

/** Further arguments of a call that has begun. */
const more = (text: string, own: JsonObject = {}): Part => ({
  delta: { tool_calls: [{ index: 0, function: { arguments: text }, ...own }] },
})

const github = (repository: string, number: number) => ({
  name: `${repository}#${number}`,
  issue: `https://github.com/${repository}/issues/${number}`,
})

/** The stream of OpenAI itself: the call comes in parts. */
export const STRAIGHT_STREAM: ChatStream = {
  name: 'straight',
  issue: 'developers.openai.com/api/docs/guides/function-calling, "Streaming"',
  quirk: 'Nothing is odd.',
  parts: [ROLE, call({}, { arguments: '' }), more('{"x"'), more(':1}'), CALLS],
}

/** Streams that differ from OpenAI's, each with the issue that reports it. */
export const CROOKED_STREAMS: readonly ChatStream[] = [
  {
    ...github('ollama/ollama', 11633),
    quirk: 'The call comes whole in one delta.',
    parts: [ROLE, call(), CALLS],
  },
  {
    ...github('googleapis/python-genai', 2868),
    quirk: 'It finishes by "stop" although there is a call.',
    parts: [ROLE, call(), STOP],
  },
  {
    ...github('vllm-project/vllm', 18412),
    quirk: 'The call has no id.',
    parts: [ROLE, call({ id: undefined }), CALLS],
  },
  {
    ...github('anomalyco/opencode', 37841),
    quirk: 'The id and the name are empty in later deltas.',
    parts: [
      ROLE,
      call({}, { arguments: '{"x"' }),
      call({ id: '' }, { name: '', arguments: ':1}' }),
      CALLS,
    ],
  },
  {
    ...github('ollama/ollama', 7881),
    quirk: 'The call has no index.',
    parts: [ROLE, call({ index: undefined }), CALLS],
  },
  {
    ...github('ollama/ollama', 15457),
    quirk: 'Two calls have the index 0.',
    parts: [ROLE, call(), call({ id: 'call_b' }, { arguments: '{"x":2}' }), CALLS],
  },
  {
    ...github('HKUDS/nanobot', 3943),
    quirk: 'Two calls have one id.',
    parts: [ROLE, call(), call({ index: 1 }, { arguments: '{"x":2}' }), CALLS],
  },
  {
    ...github('BerriAI/litellm', 37792),
    quirk: 'The arguments are an object.',
    parts: [ROLE, call({}, { arguments: { x: 1 } }), CALLS],
  },
  {
    ...github('vercel/ai', 6687),
    quirk: 'The arguments are empty.',
    parts: [ROLE, call({}, { arguments: '' }), CALLS],
  },
  {
    ...github('continuedev/continue', 5849),
    quirk: 'The name of the tool is split over two deltas.',
    parts: [
      ROLE,
      call({}, { name: 'ad', arguments: '' }),
      call({ id: undefined }, { name: 'd' }),
      CALLS,
    ],
  },
  {
    ...github('langwatch/langwatch', 6196),
    quirk: 'No delta has a role.',
    parts: [call(), CALLS],
  },
  {
    ...github('ikawrakow/ik_llama.cpp', 467),
    quirk: 'It does not end with [DONE].',
    parts: [ROLE, call(), CALLS],
    isOpenEnded: true,
  },
  {
    ...github('CommandCodeAI/command-code', 785),
    quirk: 'It ends in the middle of the arguments.',
    parts: [ROLE, call({}, { arguments: '' }), more('{"x":')],
    isOpenEnded: true,
  },
  {
    ...github('ollama/ollama', 6390),
    quirk: 'The call is written as text.',
    parts: [
      ROLE,
      { delta: { content: '<tool_call>\n{"name": "add", ' } },
      { delta: { content: '"arguments": {"x": 1}}\n</tool_call>' } },
      STOP,
    ],
  },
  {
    ...github('openai/openai-agents-python', 578),
    quirk: 'There is reasoning_content, which the wire of OpenAI does not have.',
    parts: [ROLE, { delta: { reasoning_content: 'One is enough.' } }, call(), CALLS],
  },
  {
    ...github('vercel/ai', 13506),
    quirk: 'An error comes within the stream.',
    parts: [
      ROLE,
      call({}, { arguments: '' }),
      { error: { message: 'Context length exceeded', code: 'CONTEXT_LENGTH_EXCEEDED' } },
    ],
  },
]

/** The answer that sends a stream to the client, byte for byte as its server would. */
export function answerOf({ parts, isOpenEnded }: ChatStream): RawAnswer {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'local' }
  const chunks = parts.map((part) =>
    'error' in part
      ? part
      : {
          ...head,
          choices: [{ index: 0, delta: part.delta, finish_reason: part.finish ?? null }],
        },
  )
  const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  return { raw: isOpenEnded === true ? lines : [...lines, 'data: [DONE]\n\n'] }
}
