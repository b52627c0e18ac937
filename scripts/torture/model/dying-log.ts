import type { EventLog } from '../../../src/workspace/log/ports.ts'

/** A log as one process has it: from a given append on, nothing it asks for is done any more. */
export interface DyingLog extends EventLog {
  /** Die at the n-th append from now: before the log has it, or just after. */
  die(at: number, append: 'lost' | 'kept'): void
  /** Appends that were taken since it was made. */
  readonly appends: number
  readonly isDead: boolean
}

/** What a process that died is told; nobody is there to hear it. */
class Died extends Error {}

/** A process's own view of a log that outlives it. */
export function dyingLog(log: EventLog): DyingLog {
  const { immediate: _, ...rest } = log
  let appends = 0
  let left = Number.POSITIVE_INFINITY
  let fate: 'lost' | 'kept' = 'lost'
  let dead = false
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Died('This process is dead.')) : work()
  return {
    ...rest,
    definitions: {
      put: (...given) => alive(() => log.definitions.put(...given)),
      get: (...given) => alive(() => log.definitions.get(...given)),
    },
    read: (...given) => alive(() => log.read(...given)),
    append: (...given) =>
      alive(async () => {
        left -= 1
        dead = left <= 0
        if (!dead || fate === 'kept') {
          await log.append(...given)
          appends += 1
        }
        if (dead) throw new Died('This process is dead.')
      }),
    die(at, append) {
      left = at
      fate = append
    },
    get appends() {
      return appends
    },
    get isDead() {
      return dead
    },
  }
}
