/** Runs a task when things have been quiet for a while. */
export interface WhenQuiet {
  /** Something happened: run the task once nothing more does. */
  poke(): void
  /** Run it no more; resolves when the one that runs has ended. */
  close(): Promise<void>
}

/**
 * Run a task `quietMs` after the last poke, but no later than `longestMs` after the first. It never
 * runs beside itself: what happens while it runs makes it run once more. The task must not reject.
 */
export function whenQuiet(
  task: () => Promise<void>,
  quietMs: number,
  longestMs: number,
): WhenQuiet {
  let timer: NodeJS.Timeout | undefined
  let firstAt: number | null = null
  let running: Promise<void> | null = null
  let closed = false

  const schedule = () => {
    if (closed || running !== null || firstAt === null) return
    clearTimeout(timer)
    const left = firstAt + longestMs - performance.now()
    timer = setTimeout(run, Math.max(0, Math.min(quietMs, left)))
  }
  const run = () => {
    firstAt = null
    running = task().finally(() => {
      running = null
      schedule()
    })
  }
  return {
    poke() {
      firstAt ??= performance.now()
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
