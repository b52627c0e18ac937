import type { EventLog } from '../../../src/workspace/log/ports.ts'

/** A log of which one call fails: all are counted, and after that one it is as any other. */
export interface FaultyLog extends EventLog {
  /** Calls so far, of every kind. */
  readonly calls: number
  /** The call that was to fail came. */
  readonly hasFailed: boolean
}

/** What the log says when it fails, so that it is known again. */
export const FAULT = 'The disk is on fire.'

/**
 * A log whose n-th call fails.
 *
 * @param when before it did anything, or after it was done, when only its answer is lost
 */
export function faultyLog(log: EventLog, at: number, when: 'before' | 'after'): FaultyLog {
  const { immediate: _, ...rest } = log
  let calls = 0
  let hasFailed = false
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1
    const fails = calls === at
    hasFailed ||= fails
    if (fails && when === 'before') throw new Error(FAULT)
    const done = await work()
    if (fails) throw new Error(FAULT)
    return done
  }
  return {
    ...rest,
    definitions: {
      put: (...given) => counted(() => log.definitions.put(...given)),
      get: (...given) => counted(() => log.definitions.get(...given)),
    },
    read: (...given) => counted(() => log.read(...given)),
    append: (...given) => counted(() => log.append(...given)),
    get calls() {
      return calls
    },
    get hasFailed() {
      return hasFailed
    },
  }
}
