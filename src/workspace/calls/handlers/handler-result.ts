import type { JsonValue } from '../../../kernel/json.ts'
import { ErrorType } from '../../../tools/response/error-type.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import type { Tool, ValueIssue } from '../../../tools/definition/tool.ts'
import { followStream, isStream, type StreamLimits } from './follow-stream.ts'
import { type HandlerAnswer, handlerAnswer } from './handler-answer.ts'
import { type JsonRefusal, jsonResult } from './json-result.ts'
import { quietPromises } from './quiet-promises.ts'
import { settle } from './settle.ts'
import { thrownError } from './thrown-error.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'
import { withData } from './with-data.ts'

/** What `handlerResult` needs of a request. */
interface HandlerWork {
  readonly tool: Tool
  readonly input: unknown
  readonly maxBytes: number
  readonly stream: StreamLimits
  onOutput?(output: JsonValue, index: number): void | Promise<void>
}

/** An answer, and how the handler itself ended. */
interface HandlerResult {
  readonly answer: HandlerAnswer
  readonly end: 'returned' | 'threw'
}

/**
 * Run a handler and turn what comes of it into a checked answer. Never rejects; never settles
 * when the handler or its output check never does. Once `context.signal` is aborted nobody
 * reads the answer, so a late result is not looked at any more.
 */
export async function handlerResult(
  { tool, input, maxBytes, stream, onOutput }: HandlerWork,
  context: ToolContext,
): Promise<HandlerResult> {
  const returned = await settle(() => {
    if (tool.run === undefined) {
      throw new ToolError(ErrorType.UNBOUND, `The tool "${tool.name}" has no handler here.`)
    }
    return tool.run(input, context)
  })
  const settled =
    returned.kind === 'returned' && isStream(returned.value)
      ? await followStream(returned.value, {
          signal: context.signal,
          limits: stream,
          maxBytes,
          onOutput: async (output, index) => onOutput?.(output, index),
        })
      : returned
  if (settled.kind === 'unfit') {
    return {
      answer: { ok: false, error: unfit(settled.refusal, maxBytes, 'handler') },
      end: 'returned',
    }
  }
  if (settled.kind === 'threw') {
    return { answer: { ok: false, error: thrownError(settled.thrown) }, end: 'threw' }
  }
  const end = 'returned'
  if (context.signal.aborted) {
    quietPromises(settled.value)
    return { answer: { ok: true, data: null, intents: [] }, end }
  }
  const plain = jsonResult(settled.value, { maxBytes })
  if (!plain.ok) {
    quietPromises(settled.value)
    return { answer: { ok: false, error: unfit(plain, maxBytes) }, end }
  }
  const answer = handlerAnswer(withData(plain.value, settled.value))
  return { answer: answer.ok ? await checked(tool, answer, maxBytes) : answer, end }
}

/** Hold the data against the tool's output schema, whose transforms may change it. */
async function checked(
  tool: Tool,
  answer: Extract<HandlerAnswer, { ok: true }>,
  maxBytes: number,
): Promise<HandlerAnswer> {
  if (tool.parseOutput === undefined) return answer
  try {
    const parsed = await tool.parseOutput(answer.data)
    if (!parsed.ok) return { ok: false, error: mismatch(parsed.issues) }
    const plain = jsonResult(parsed.value, { maxBytes })
    return plain.ok
      ? { ...answer, data: plain.value }
      : { ok: false, error: unfit(plain, maxBytes) }
  } catch (thrown) {
    const message = `Checking the result threw: ${thrownMessage(thrown)}`
    return { ok: false, error: responseError(ErrorType.BAD_OUTPUT, message) }
  }
}

function mismatch(issues: readonly ValueIssue[]): ResponseError {
  const [first] = issues
  const where = first === undefined ? '' : `: ${first.path || 'the whole'} ${first.message}`
  return responseError(
    ErrorType.BAD_OUTPUT,
    `The result does not match the tool's output schema${where}.`,
    { issues },
  )
}

function unfit(
  { path, message, hint }: JsonRefusal,
  maxBytes: number,
  what = 'result',
): ResponseError {
  const where = path === '' ? '' : `, at ${path}`
  return responseError(ErrorType.BAD_OUTPUT, `The ${what} ${message}${where}. ${hint}`, {
    issues: [{ path, message }],
    maxBytes,
  })
}
