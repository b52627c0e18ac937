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
