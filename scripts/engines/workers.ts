import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order, Report } from './messages.ts'

/** The workers of an engine. One that killed itself is started again. */
export class Workers {
  readonly #program: string
  readonly #home: string
  readonly #args: readonly (readonly string[])[]
  readonly #children = new Map<number, ChildProcess>()
  #order: Order | undefined
  #stopped = false
  #report: (report: Report, from: ChildProcess) => void = () => {}
  #failed: (error: Error) => void = () => {}

  /**
   * @param home the folder of what they write, their home, too
   * @param args the arguments of each
   */
  constructor(program: string, home: string, args: readonly (readonly string[])[]) {
    mkdirSync(home, { recursive: true })
    this.#program = program
    this.#home = home
    this.#args = args
  }

  /** Starts all of them, and resolves when each has been ready once. */
  async start(): Promise<void> {
    await Promise.all(this.#args.map((_, at) => this.#start(at)))
  }

  /**
   * Gives all of them an order, those that are started later, too.
   *
   * @param report gets what they report
   * @param limit milliseconds
   *
   * @returns the first report of an end
   */
  async run(
    order: Order,
    report: (report: Report, answer: () => void) => void,
    limit = 90_000,
  ): Promise<Report & { type: 'ended' }> {
    const { promise, resolve, reject } = Promise.withResolvers<Report & { type: 'ended' }>()
    this.#order = order
    this.#failed = reject
    this.#report = (given, from) => {
      if (given.type === 'ready' || given.session !== order.session) return
      report(given, () => from.send({ type: 'answer', session: order.session } satisfies Order))
      if (given.type === 'ended') resolve(given)
    }
    for (const child of this.#children.values()) child.send(order)
    const late = setTimeout(
      () => reject(new Error(`${order.session} did not end:\n${this.#output()}`)),
      limit,
    )
    return promise.finally(() => clearTimeout(late))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const child of this.#children.values()) child.kill('SIGKILL')
  }

  #start(at: number): Promise<void> {
    const output = openSync(join(this.#home, `output-${at}`), 'a')
    const child = fork(this.#program, [...(this.#args[at] ?? [])], {
      env: { PATH: process.env['PATH'], HOME: this.#home },
      execArgv: [],
      stdio: ['ignore', output, output, 'ipc'],
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    child.on('message', (report: Report) => {
      if (report.type !== 'ready') {
        this.#report(report, child)
        return
      }
      this.#children.set(at, child)
      if (this.#order) child.send(this.#order)
      resolve()
    })
    child.on('exit', (code, signal) => {
      this.#children.delete(at)
      if (this.#stopped) return
      if (signal === 'SIGKILL') {
        this.#start(at).then(resolve, reject)
        return
      }
      const error = new Error(`A worker ended with ${code ?? signal}:\n${this.#output()}`)
      this.#failed(error)
      reject(error)
    })
    // What is sent to a process that just died is lost, as it should be.
    child.on('error', () => {})
    return promise
  }

  #output(): string {
    const texts = this.#args.map((_, at) => readFileSync(join(this.#home, `output-${at}`), 'utf8'))
    return texts.join('').slice(-4000)
  }
}
