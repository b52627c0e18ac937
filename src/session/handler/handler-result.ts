import type { JsonValue } from '../../kernel/json.ts'
import { ErrorType } from '../../registry/error-type.ts'
import type { ToolContext } from '../../registry/tool-context.ts'
import { isToolResponse } from '../../registry/is-tool-response.ts'
import { ToolError } from '../../registry/tool-error.ts'
import { type ResponseError, responseError } from '../../registry/tool-response.ts'
import type { Tool, ValueIssue } from '../../registry/tool.ts'
import { attempt } from './attempt.ts'
import { type HandlerAnswer, handlerAnswer } from './handler-answer.ts'
import { type JsonRefusal, jsonResult } from './json-result.ts'
import { quietPromises } from './quiet-promises.ts'
import { settle } from './settle.ts'
import { thrownError } from './thrown-error.ts'
import { thrownMessage } from './thrown-message.ts'

/** What `handlerResult` needs of a request. */
interface HandlerWork {
  readonly tool: Tool
  readonly input: unknown
  readonly maxBytes: number
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
  { tool, input, maxBytes }: HandlerWork,
  context: ToolContext,
): Promise<HandlerResult> {
  const settled = await settle(() => {
    if (tool.run === undefined) {
      throw new ToolError(ErrorType.UNBOUND, `The tool "${tool.name}" has no handler here.`)
    }
    return tool.run(input, context)
  })
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

/** JSON leaves out `data: undefined`, without which an envelope is none. */
function withData(plain: JsonValue, returned: unknown): JsonValue {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain
  const filled: JsonValue = { data: null, ...(plain as { readonly [key: string]: JsonValue }) }
  const had = attempt(() => Object.hasOwn(returned as object, 'data')) ?? false
  const envelope: boolean = had && isToolResponse(filled)
  return envelope ? filled : plain
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

function unfit({ path, message, hint }: JsonRefusal, maxBytes: number): ResponseError {
  const where = path === '' ? '' : `, at ${path}`
  return responseError(ErrorType.BAD_OUTPUT, `The result ${message}${where}. ${hint}`, {
    issues: [{ path, message }],
    maxBytes,
  })
}
