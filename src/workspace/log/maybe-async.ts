import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Work that is written once for callers that await it and for callers that cannot: a generator that
 * yields what its log, a command source or a hook returns, and continues with the value of it. `runAsync`
 * awaits what is yielded. `runSync` passes it on and refuses promises, so it runs over a log that commits
 * at once.
 */
export type MaybeAsync<T> = Generator<unknown, T, unknown>

/** Yields one value, for work that needs the type of what it continues with. */
export function* waitFor<T>(value: T): MaybeAsync<Awaited<T>> {
  return (yield value) as Awaited<T>
}

export async function runAsync<T>(work: MaybeAsync<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) {
    let value: unknown
    try {
      value = await step.value
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(value)
  }
  return step.value
}

/** Throws `LOG_NOT_IMMEDIATE` inside the work, where it yields a promise. */
export function runSync<T>(work: MaybeAsync<T>): T {
  let step = work.next()
  while (step.done !== true) {
    const { value } = step
    step = isPromiseLike(value) ? work.throw(logNotImmediate()) : work.next(value)
  }
  return step.value
}

export function logNotImmediate(session?: string): WorkspaceError {
  return new WorkspaceError('LOG_NOT_IMMEDIATE', 'This log does not commit at once.', {
    hint: 'Await the command, or keep the session in a log of createMemoryLog.',
    ...(session !== undefined && { facts: { session } }),
  })
}

/** Returns true for a promise, also one of another library. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
