/**
 * A queue of tasks that run one after the other, whatever becomes of the one before. Gives what
 * queues a task and answers as it does.
 */
export function inTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }
}
