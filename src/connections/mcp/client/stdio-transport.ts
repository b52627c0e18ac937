import { setImmediate } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { WorkspaceError } from '../../../entries/index.ts'
import { sanitiseLine, thrownMessage, tryOrUndefined, withTimeLimit } from '../../../entries/kit.ts'
import { messageOver } from './bounded-fetch.ts'
import { type HostProcess, startProcess } from '../../processes/start-process.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

/** The program of a server, which speaks on its standard input and output. */
export interface ServerProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Characters of one message at most. */
  readonly longestMessage: number
}

/** Characters that are no messages, such as output for people, before the server is given up. */
const MOST_GARBAGE = 1_048_576

/** Characters of the end of its error output, for the message of a failure. */
const KEPT_ERRORS = 2_000

/** Messages that are read before other work of this process continues. */
const MESSAGES_IN_A_TURN = 50

/** Lines of it that are shown. */
const MOST_LINES = 10

/** Milliseconds for a server to end by itself when its input is closed, and between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000

/**
 * The standard input and output of a server. Its processes end with it: those that it started, too, and also when this
 * process is killed.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** With `pid`, the sign of a pipe for the client: a server that does not answer its first question is an old one. */
  readonly stderr = null
  readonly #program: ServerProgram
  #process: HostProcess | undefined
  #input: WritableStreamDefaultWriter<Uint8Array> | undefined
  #errors = ''
  #garbage = 0
  #problem: WorkspaceError | undefined
  #closing: Promise<void> | undefined

  constructor(program: ServerProgram) {
    this.#program = program
  }

  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  /** The reason why it ended, if it did. */
  get problem(): WorkspaceError | undefined {
    return this.#problem
  }

  /** The last lines of its error output, without control characters. */
  get errors(): readonly string[] {
    const lines = this.#errors.split('\n').map(sanitiseLine)
    return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES)
  }

  async start(): Promise<void> {
    const { command, args, cwd, environment } = this.#program
    const started = await startProcess({
      command,
      arguments: args,
      cwd,
      environment,
      graceMs: GRACE_MS,
    }).catch((cause: unknown) => {
      throw new WorkspaceError(
        'SERVER_NOT_STARTED',
        `"${command}" cannot be started: ${thrownMessage(cause)}`,
        {
          hint: 'Check that it is installed, and on the PATH of servers.',
          facts: { command },
          cause,
        },
      )
    })
    this.#process = started
    this.#input = started.stdin.getWriter()
    this.#input.closed.catch(() => undefined)
    void this.#readErrors(started)
    void this.#readMessages(started)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#input === undefined || this.#problem !== undefined) {
      throw this.#problem ?? new Error('The server is not running.')
    }
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`))
  }

  /** Closes its input, and ends what is still running after a moment. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  async #end(): Promise<void> {
    const running = this.#process
    if (running === undefined) return
    await this.#input?.close().catch(() => undefined)
    await withTimeLimit('The server', GRACE_MS, () => running.wait()).catch(() => undefined)
    await running.kill()
    this.onclose?.()
    delete this.onclose
  }

  async #readMessages(running: HostProcess): Promise<void> {
    const { longestMessage } = this.#program
    const decoder = new TextDecoder()
    // Joined once for each line: a long line comes in many pieces.
    let pieces: string[] = []
    let length = 0
    try {
      for await (const chunk of running.stdout) {
        const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
        pieces.push(first)
        length += first.length
        for (const [at, next] of others.entries()) {
          this.#read(pieces.join(''))
          // Else the handlers of all of them run before anything else.
          if (at % MESSAGES_IN_A_TURN === MESSAGES_IN_A_TURN - 1) await setImmediate()
          pieces = [next]
          length = next.length
        }
        if (length > longestMessage)
          this.#fail('SERVER_FLOODS', `wrote ${messageOver(longestMessage)}`)
        if (this.#garbage > MOST_GARBAGE) {
          this.#fail('SERVER_PRINTS', 'wrote over 1 MB to its output that is no message')
        }
        if (this.#problem !== undefined) break
      }
    } catch {
      // It ended, or it is being closed.
    }
    // One that only closed its output is ended.
    await withTimeLimit('The server', GRACE_MS, () => running.wait()).catch(() => running.kill())
    const { exitCode } = await running.wait()
    this.#fail('SERVER_EXITED', `ended with the code ${exitCode}`)
    await this.close()
  }

  #read(line: string): void {
    // A client that is closed reads nothing.
    if (line.trim() === '' || this.#closing !== undefined) return
    const isObject = line.trimStart().startsWith('{')
    const message = isObject ? tryOrUndefined(() => JSON.parse(line) as JSONRPCMessage) : undefined
    const isMessage = typeof message === 'object' && message !== null && 'jsonrpc' in message
    if (isMessage) this.onmessage?.(message)
    else this.#garbage += line.length
  }

  async #readErrors(running: HostProcess): Promise<void> {
    const decoder = new TextDecoder()
    const budget = new Budget('errorOutput')
    try {
      for await (const chunk of running.stderr) {
        const over = budget.take(chunk.length)
        if (over !== null) {
          this.#fail('SERVER_FLOODS', `wrote ${over}`)
          break
        }
        this.#errors = (this.#errors + decoder.decode(chunk, { stream: true })).slice(-KEPT_ERRORS)
      }
    } catch {
      // It ended.
    }
    if (this.#problem !== undefined) await this.close()
  }

  #fail(code: string, what: string): void {
    if (this.#problem !== undefined) return
    const last = this.errors.at(-1)
    this.#problem = new WorkspaceError(
      code,
      `"${this.#program.command}" ${what}.${last === undefined ? '' : ` It wrote: ${last}`}`,
      {
        hint: 'Run the command in a terminal to see what it prints.',
        facts: { last, stderr: this.errors },
      },
    )
    if (this.#closing === undefined) this.onerror?.(this.#problem)
  }
}
