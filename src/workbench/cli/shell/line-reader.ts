import { createInterface } from 'node:readline/promises'
import type { CliContext } from './cli-context.ts'

/** Reads what a person types, line by line. */
export interface LineReader {
  /** Resolves with the next line; with null at the end of the input, and when the signal is aborted. */
  next(prompt: string, signal?: AbortSignal): Promise<string | null>
  close(): void
}

/**
 * Opens a reader of standard input: with editing and a history on a terminal, plain from a pipe.
 *
 * @param onInterrupt Ctrl-C on a terminal, which no longer ends the process
 */
export function openLineReader(
  { terminal, stdin, onInterrupt }: Pick<CliContext, 'terminal' | 'stdin' | 'onInterrupt'>,
  interrupted: () => void,
): LineReader {
  if (terminal === undefined) {
    let forget = () => {}
    const listen = () => {
      forget = onInterrupt(() => {
        listen()
        interrupted()
      })
    }
    listen()
    const lines = splitLines(stdin)
    return {
      next(_, signal) {
        const line = lines.next().then(({ value }) => value ?? null)
        const aborted = new Promise<null>((resolve) => {
          if (signal?.aborted === true) resolve(null)
          signal?.addEventListener('abort', () => resolve(null), { once: true })
        })
        return Promise.race([line, aborted])
      },
      close: () => forget(),
    }
  }
  const readline = createInterface({ input: terminal.stdin, output: terminal.stdout })
  let isClosed = false
  const ended = new Promise<null>((resolve) => {
    readline.on('close', () => {
      isClosed = true
      resolve(null)
    })
  })
  readline.on('SIGINT', interrupted)
  return {
    next: (prompt, signal) => {
      if (isClosed) return ended
      const line = readline.question(prompt, signal ? { signal } : {}).catch(() => null)
      return Promise.race([line, ended])
    },
    close: () => readline.close(),
  }
}

async function* splitLines(
  chunks: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/u, '')
  }
  if (rest !== '') yield rest
  return undefined
}
