import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { DEFAULT_CALL_LIMITS, type CallLimits } from './call-request.ts'

/**
 * The limits of a session: those that are given, else the defaults.
 *
 * Throws `LIMITS_INVALID` for what is no limit. Every comparison with NaN is false, so a number that was
 * read wrongly from a configuration would not be a wrong limit, but none.
 */
export function callLimitsOf(given: Partial<CallLimits> = {}): CallLimits {
  const stream: unknown = given.stream ?? {}
  if (typeof stream !== 'object' || stream === null) {
    throw invalid('stream', stream, 'it is { outputs, bytes }')
  }
  return {
    ...settled(DEFAULT_CALL_LIMITS, { ...given, stream: undefined }, ''),
    stream: settled(DEFAULT_CALL_LIMITS.stream, stream, 'stream.'),
  }
}

function settled<Limits extends object>(defaults: Limits, given: object, path: string): Limits {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of said) {
    if (!Object.hasOwn(defaults, name)) {
      throw notKnown(`${path}${name}`, Object.keys(defaults))
    }
    if (typeof value !== 'number' || !(value >= 0)) {
      throw invalid(`${path}${name}`, value, 'it is a number, and not negative')
    }
    if (value === 0 && NEVER_ZERO.has(name)) {
      throw invalid(`${path}${name}`, value, 'no call would end within it')
    }
  }
  return { ...defaults, ...Object.fromEntries(said) }
}

const NEVER_ZERO: ReadonlySet<string> = new Set(['timeoutMs', 'backgroundMs'])

function invalid(name: string, value: unknown, why: string): WorkspaceError {
  const told = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new WorkspaceError('LIMITS_INVALID', `limits.${name} is ${told}: ${why}.`, {
    facts: { limit: name },
    hint: 'Correct it, or leave it out for the default.',
  })
}

function notKnown(name: string, known: readonly string[]): WorkspaceError {
  return new WorkspaceError('LIMITS_INVALID', `limits.${name} is not known.`, {
    facts: { limit: name, known },
    hint: `There are ${known.join(', ')}.`,
  })
}
