import { checkOptions } from '../../../kernel/check-options.ts'
import { isObject } from '../../../kernel/json-value.ts'
import { checkedNumbers } from '../../commands/checked-numbers.ts'
import type { StreamLimits } from '../handlers/follow-stream.ts'

/** Limits of every call of a session. */
export interface CallLimits {
  /** Milliseconds a handler may take, its retries included, unless its tool says otherwise. */
  readonly timeoutMs: number
  /** The same for a call in the background. */
  readonly backgroundMs: number
  /** Bytes of JSON a result may have, its parts included without their data. */
  readonly maxBytes: number
  /**
   * Tokens that a model reads of one result, `Infinity` for all; a tool or a server may have another limit. The rest is kept
   * in the log, and the model reads on with the meta-tool `read_result`.
   */
  readonly resultTokens: number
  /**
   * Tokens of the window of the model. When a session comes near to it, less of each result is read; that of the provider
   * when 0.
   */
  readonly windowTokens: number
  /** Bytes of data that the parts of a result may have together, before base64. */
  readonly contentBytes: number
  /**
   * The treatment of a result over `maxBytes` or `contentBytes`, and of outputs over `stream`. By default, it is cut,
   * and a note to the model says so: the handler has done its work. With `fail`, the call fails with `BAD_OUTPUT`.
   */
  readonly oversized: 'cut' | 'fail'
  /** Bytes of JSON that the log keeps of the result of a background call, and of arguments with a question. */
  readonly keptBytes: number
  /** Limits of what a handler yields before its result; an endless generator stops there. */
  readonly stream: StreamLimits
  /** Retries of an idempotent tool's call, after a failure that may pass. */
  readonly retries: number
  /** The most calls that a call may be within, when tools call tools. */
  readonly depth: number
  /**
   * Calls of one tool with the same arguments that the model may make in a turn while nothing changes. Tools
   * with `polling` have no such limit.
   */
  readonly sameCalls: number
  /**
   * Calls of one tool in a row by the model that find nothing, in a turn while nothing changes. Not for actions, and not for
   * tools with `polling`.
   */
  readonly emptyResults: number
  /** Milliseconds that the function of a permission rule, a condition or a preview may take. */
  readonly checkMs: number
  /**
   * Milliseconds until a pending confirmation expires. By default, a question about a call of a session with a log of the host
   * does not expire: it is open as long as the session.
   */
  readonly confirmationMs: number
  /** Milliseconds that running calls of a skill have to end before its deactivation aborts them. */
  readonly drainMs: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  backgroundMs: 600_000,
  maxBytes: 1_048_576,
  resultTokens: 25_000,
  windowTokens: 0,
  contentBytes: 20_971_520,
  oversized: 'cut',
  keptBytes: 16_384,
  stream: { outputs: 10_000, bytes: 16_777_216 },
  retries: 2,
  depth: 4,
  sameCalls: 3,
  emptyResults: 5,
  checkMs: 10_000,
  confirmationMs: 600_000,
  drainMs: 5_000,
}

/** Settles the limits of a session: the given ones, else the defaults. Throws `LIMITS_INVALID`. */
export function settleCallLimits(
  limits?: Partial<CallLimits>,
  others: readonly string[] = [],
): CallLimits {
  if (limits === undefined) return DEFAULT_CALL_LIMITS
  const { stream: defaultStream, oversized: byDefault, ...defaults } = DEFAULT_CALL_LIMITS
  const code = 'LIMITS_INVALID'
  const positive = ['timeoutMs', 'backgroundMs', 'checkMs', 'resultTokens']
  if (!isObject(limits))
    return checkedNumbers(limits, { option: 'limits', code, defaults: DEFAULT_CALL_LIMITS })
  const { stream, oversized = byDefault, ...given } = limits
  checkOptions({ oversized }, { oversized: ['cut', 'fail'] }, 'limits.')
  const known = Object.entries(given).filter(([name]) => !others.includes(name))
  const numbers = { option: 'limits', code, defaults, others, positive }
  return {
    ...checkedNumbers(Object.fromEntries(known), numbers),
    oversized,
    stream: checkedNumbers(stream, { option: 'limits.stream', code, defaults: defaultStream }),
  }
}
