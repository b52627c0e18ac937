/**
 * Creates a queue of tasks that run one after another, even if an earlier task fails. The returned
 * function queues a task, and its promise settles as the task does.
 */
export function serialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve()
  // An idle queue must not keep the result of its last task alive.
  const forget = () => undefined
  return (task) => {
    const turn = last.then(task)
    last = turn.then(forget, forget)
    return turn
  }
}

/** Serial queues by key: tasks of one key run one after the other, keys do not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run(key: string, task: () => Promise<void>): Promise<void> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(task)
    const settled = turn.catch(() => undefined)
    this.#last.set(key, settled)
    try {
      await turn
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }

  /** Resolves when all tasks that were queued before the call have settled. */
  async settle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
