import { APICallError } from 'ai'
import { WorkspaceError } from '../../../entries/index.ts'
import { thrownMessage } from '../../../entries/kit.ts'
import type { ChatNotice } from './chat-event.ts'
import { AnswerCutError } from './whole-answers.ts'

/** Facts about the model, for sentences. */
interface FailedModel {
  readonly name: string
  readonly server: string | null
}

/** Describes why there is no complete answer, and what to do. None of its calls ran. */
export function describeFailure(error: unknown, model: FailedModel): ChatNotice {
  if (WorkspaceError.is(error)) return notice(error.code, error.message, error.hint)
  // The SDK wraps the error of a body that could not be read.
  const { cause } = (error ?? {}) as { readonly cause?: unknown }
  if (WorkspaceError.is(cause)) return describeFailure(cause, model)
  if (error instanceof AnswerCutError) return describeCut(error, model)
  if (APICallError.isInstance(error)) return describeResponse(error, model)
  const text = errorText(error)
  if (CONTEXT.test(text)) return contextNotice(text, model)
  if (ENDED.test(text)) return describeCut(new AnswerCutError('end', []), model)
  if (text.startsWith('Type validation failed') && text.includes('arguments')) {
    return notice(
      'arguments-not-text',
      `${model.name} sent the arguments of a call in another form than the text of Chat Completions.`,
      'Update the server, or the proxy in front of it. The call did not run.',
    )
  }
  return notice(
    'answer-failed',
    `${model.name} reported an error in its answer: ${text}`,
    'Nothing of the answer ran. Say it again, or see the log of the server.',
  )
}

const CONTEXT = /context.{0,20}(?:length|window|size)|maximum context|too many tokens|n_ctx/iu

/** The connection ended before the answer. */
const ENDED = /without a finish reason|^terminated$|ECONNRESET|socket hang up|other side closed/iu

function describeCut({ reason, calls }: AnswerCutError, { name }: FailedModel): ChatNotice {
  const ran = calls.length === 0 ? '' : ` The call of ${calls.join(', ')} did not run.`
  switch (reason) {
    case 'length':
      return notice(
        'answer-cut',
        `${name} stopped in the middle of a call, at its limit of tokens.${ran}`,
        'Start the server with a higher limit of output, or a longer context.',
      )
    case 'content-filter':
      return notice(
        'answer-filtered',
        `The server filtered the answer of ${name}.${ran}`,
        'Say it in other words.',
      )
    case 'end':
    case 'error':
      return notice(
        'answer-cut',
        `The answer of ${name} ended in the middle.${ran}`,
        'Say it again. If it ends again, see the log of the server: it may have no memory left.',
      )
  }
}

function describeResponse(error: APICallError, model: FailedModel): ChatNotice {
  const { statusCode, responseBody = '', url } = error
  const said = bodyMessage(responseBody) || thrownMessage(error)
  const { origin } = new URL(url)
  switch (statusCode) {
    case undefined:
      return notice(
        'server-absent',
        `No server answers at ${origin}.`,
        'Start it, such as with "ollama serve" or "llama-server --jinja -m model.gguf", or correct --model.',
      )
    case 401:
    case 403:
      return notice(
        'key-refused',
        `${origin} refused the key: ${said}`,
        'Set LOADOUT_MODEL_KEY to the key of the server.',
      )
    case 404:
      return notice(
        'model-unknown',
        `${origin} does not have what was asked for: ${said}`,
        'Name a model that it has, after the # of --model; GET /v1/models lists them. With Ollama: "ollama pull <model>".',
      )
    case 429:
      return notice(
        'rate-limit',
        `${origin} refuses more requests: ${said}`,
        'Wait, then say it again.',
      )
    case 503:
      return notice(
        'server-busy',
        `${origin} is not ready: ${said}`,
        'It may be loading the model. Wait, then say it again.',
      )
    default:
      if (CONTEXT.test(said)) return contextNotice(said, model)
      return notice(
        'server-refused',
        `${origin} refused the request (${statusCode}): ${said}`,
        'See the log of the server.',
      )
  }
}

function contextNotice(said: string, { name, server }: FailedModel): ChatNotice {
  const flag = CONTEXT_FLAGS.get(server ?? '') ?? [...CONTEXT_FLAGS.values()].join('; ')
  return notice(
    'context-full',
    `The conversation is too long for ${name}: ${said}`,
    `Unload skills, begin a new session, or start the server with a longer context (${flag}).`,
  )
}

/** The settings that give a server a longer context. */
const CONTEXT_FLAGS: ReadonlyMap<string, string> = new Map([
  ['ollama', 'Ollama: OLLAMA_CONTEXT_LENGTH=32768'],
  ['llama.cpp', 'llama.cpp: -c 32768'],
  ['vllm', 'vLLM: --max-model-len 32768'],
])

/** The settings that give a server a parser of tool calls. */
const PARSER_FLAGS: ReadonlyMap<string, string> = new Map([
  ['llama.cpp', 'llama.cpp: --jinja'],
  ['vllm', 'vLLM: --enable-auto-tool-choice --tool-call-parser <name>'],
  ['sglang', 'SGLang: --tool-call-parser <name>'],
  ['ollama', 'Ollama: a model whose page says "tools"'],
])

/** The beginnings of calls in the templates of models. */
const WRITTEN_CALL =
  /<tool_?calls?>|<\|tool_?calls?(?:_begin)?\|>|\[TOOL_CALLS\]|<function[=_]|<\|python_tag\|>|functools\[|<｜tool▁calls?▁begin｜>|^\s*(?:```(?:json|tool_call)?\s*)?\{\s*"(?:name|function|tool)"\s*:/u

const NAMED = /"(?:name|function|tool)"\s*:\s*"([^"]{1,128})"|<function=([^>\s]{1,128})>/u

/**
 * Describes an answer in which a call is written as text, because the server does not parse the calls of its model.
 * Null for any other answer.
 */
export function describeWrittenCall(
  text: string,
  tools: ReadonlySet<string>,
  server: string | null,
): ChatNotice | null {
  if (!WRITTEN_CALL.test(text)) return null
  const [, quoted, tagged] = NAMED.exec(text) ?? []
  const name = quoted ?? tagged
  // A model may write JSON or explain a format; only with a tool's name it is a call.
  if (name === undefined || !tools.has(name)) return null
  const flag = PARSER_FLAGS.get(server ?? '') ?? [...PARSER_FLAGS.values()].join('; ')
  return notice(
    'no-tool-parser',
    `The model wrote the call of "${name}" as text, and nothing ran: this server has no tool parser.`,
    `Start it with one (${flag}).`,
  )
}

/**
 * Describes calls of tools that do not exist because their server split one name over several calls. Null for any other
 * calls.
 */
export function describeSplitName(
  called: readonly string[],
  tools: ReadonlySet<string>,
): ChatNotice | null {
  const name = called.join('')
  if (called.length < 2 || !tools.has(name) || called.some((part) => tools.has(part))) return null
  return notice(
    'name-split',
    `The server split the name of "${name}" into calls of ${called.map((part) => `"${part}"`).join(' and ')}, which were refused.`,
    'Update the server: it streams a name in parts, which clients read as several calls.',
  )
}

/** Returns the message in the body of an error. */
function bodyMessage(body: string): string {
  try {
    return errorText(JSON.parse(body))
  } catch {
    return body.slice(0, MOST_CHARACTERS)
  }
}

const MOST_CHARACTERS = 500

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null || error instanceof Error) {
    return thrownMessage(error).slice(0, MOST_CHARACTERS)
  }
  const inner: unknown = Reflect.get(error, 'error') ?? Reflect.get(error, 'message')
  return inner === undefined ? JSON.stringify(error).slice(0, MOST_CHARACTERS) : errorText(inner)
}

function notice(code: string, message: string, hint: string): ChatNotice {
  return { type: 'notice', code, message, hint }
}

/** Describes why a turn was stopped. */
export function describeStop(code: string, message: string): ChatNotice {
  return {
    type: 'notice',
    code,
    message: `${message} The turn was stopped.`,
    hint: 'Read the refusals above, say what to do instead, or use a model that is better at calling tools.',
  }
}
