import { setTimeout } from 'node:timers/promises'

/** Milliseconds for open resources to close after a signal. */
const CLOSING_MS = 1000

/** The convention of shells: 128 plus the number of the signal. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

interface EndingHandlers {
  /** Restores the terminal immediately; may be called again. */
  leave(): void
  /** Closes open resources; the process ends afterwards, or after one second. */
  close(): Promise<void>
  /** Suspends the process until it is continued. */
  stop(): void
  /** Called when the process continues after a stop: the shell has used the terminal meanwhile. */
  redraw(): void
  /** Returns true while another program has the terminal: Ctrl-C is then meant for that program. */
  isLent(): boolean
}

interface WatchedEndings {
  /** Ends the process as this signal does. */
  end(signal: keyof typeof EXIT_CODES): void
  /** Removes all listeners. */
  unwatch(): void
}

/**
 * Handles every way in which the process can end: the terminal is restored before anything else
 * happens. Uncaught errors still reach their other handlers.
 */
export function watchEndings(handlers: EndingHandlers): WatchedEndings {
  const { leave, close, stop, redraw, isLent } = handlers
  const end = (signal: keyof typeof EXIT_CODES) => {
    leave()
    const code = EXIT_CODES[signal]
    const closed = close().catch(() => {})
    void Promise.race([closed, setTimeout(CLOSING_MS)]).then(() => process.exit(code))
  }
  const listeners = {
    SIGHUP: () => end('SIGHUP'),
    SIGTERM: () => end('SIGTERM'),
    SIGINT: () => {
      if (!isLent()) end('SIGINT')
    },
    SIGTSTP: stop,
    SIGCONT: () => {
      if (!isLent()) redraw()
    },
  }
  const entries = Object.entries(listeners) as [NodeJS.Signals, () => void][]
  for (const [signal, listener] of entries) process.on(signal, listener)
  process.prependListener('uncaughtException', leave)
  process.on('exit', leave)
  return {
    end,
    unwatch() {
      for (const [signal, listener] of entries) process.off(signal, listener)
      process.off('uncaughtException', leave)
      process.off('exit', leave)
    },
  }
}

/** Milliseconds until a stop takes effect, if there is a shell that can continue the process. */
const STOPPING_MS = 50

/**
 * Stops this process as Ctrl-Z does; resolves when it continues.
 *
 * `group` stops the complete job, so that a shell that started it through npm shows its prompt. The
 * system does not stop a process that no shell could continue (in a container, for example).
 */
export async function stopProcess(group: boolean): Promise<void> {
  const listeners = process.listeners('SIGTSTP')
  process.removeAllListeners('SIGTSTP')
  process.kill(group ? 0 : process.pid, 'SIGTSTP')
  await setTimeout(STOPPING_MS)
  for (const listener of listeners) process.on('SIGTSTP', listener)
}
