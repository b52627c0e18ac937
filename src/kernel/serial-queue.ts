/**
 * A queue of tasks that run one after the other, whatever becomes of the one before. Gives what
 * queues a task and answers as it does.
 */
export function serialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve()
  // A queue that waits for more keeps nothing of what its last task came to.
  const forget = () => undefined
  return (task) => {
    const turn = last.then(task)
    last = turn.then(forget, forget)
    return turn
  }
}
