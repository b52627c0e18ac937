import { setTimeout } from 'node:timers/promises'

/** Milliseconds what is open is given to close after a signal. */
const CLOSING_MS = 1000

/** By the custom of shells: 128 and the number of the signal. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

interface EndingHandlers {
  /** Give the terminal back, at once; may be called again. */
  leave(): void
  /** Close what is open; the process ends afterwards, or a second later. */
  close(): Promise<void>
  /** Stop until continued. */
  stop(): void
  /** The process was stopped from outside, and goes on: the shell used the terminal meanwhile. */
  redraw(): void
  /** Whether another program has the terminal: its Ctrl-C is meant for it alone. */
  isLent(): boolean
}

interface WatchedEndings {
  /** End as by this signal. */
  end(signal: keyof typeof EXIT_CODES): void
  /** Leave the endings of the process as they were. */
  unwatch(): void
}

/**
 * See to every ending this process can be told of: the terminal is given back before anything
 * else happens. Errors nobody caught go on to whoever reports them.
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

/** Milliseconds in which a stop takes effect, where there is a shell to go on later. */
const STOPPING_MS = 50

/**
 * Stop this process as the terminal's Ctrl-Z would; resolves when it goes on.
 *
 * `group` stops the whole job, so that a shell that started it through npm gets its prompt back.
 * A process that no shell could continue (in a container, say) is not stopped by the system, and
 * goes on at once.
 */
export async function stopProcess(group: boolean): Promise<void> {
  const listeners = process.listeners('SIGTSTP')
  process.removeAllListeners('SIGTSTP')
  process.kill(group ? 0 : process.pid, 'SIGTSTP')
  await setTimeout(STOPPING_MS)
  for (const listener of listeners) process.on('SIGTSTP', listener)
}
