import { checkedNumbers } from './checked-numbers.ts'
import { DEFAULT_CALL_LIMITS, type CallLimits } from './call-request.ts'

/** The limits of a session: those that are given, else the defaults. Throws `LIMITS_INVALID`. */
export function callLimitsOf({ stream, ...given }: Partial<CallLimits> = {}): CallLimits {
  const { stream: defaultStream, ...defaults } = DEFAULT_CALL_LIMITS
  const code = 'LIMITS_INVALID'
  const positive = ['timeoutMs', 'backgroundMs']
  return {
    ...checkedNumbers(given, { option: 'limits', code, defaults, positive }),
    stream: checkedNumbers(stream, { option: 'limits.stream', code, defaults: defaultStream }),
  }
}
