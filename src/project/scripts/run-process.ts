import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ScriptRun } from '../../workspace/offer/meta-tools/script-runner.ts'

/** What bounds one run. */
export interface ProcessLimits {
  /** Milliseconds until it is asked to end. */
  readonly timeoutMs: number
  /** Milliseconds after which what was asked to end is killed. */
  readonly graceMs: number
  /** Bytes that are kept of each stream. */
  readonly maxBytes: number
  /** Bytes of both streams together, after which it is ended. */
  readonly floodBytes: number
}

interface ProcessRequest extends ProcessLimits {
  readonly command: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: string
  readonly signal: AbortSignal
}

/** How long streams are waited for that something still holds, in milliseconds. */
const STREAM_CLOSE_MS = 500

/**
 * Run a program to its end, or end it: TERM for the whole process group, then KILL. What it started ends
 * with it, also when it exits by itself, and with this process. No shell stands between.
 *
 * Rejects when it cannot be started.
 */
export async function runProcess(request: ProcessRequest): Promise<ScriptRun> {
  const { command, cwd, environment, stdin, signal, timeoutMs, graceMs } = request
  const mark = randomUUID()
  const started = performance.now()
  const child = spawn(command, request.arguments, {
    cwd,
    env: { ...environment, [RUN_MARK]: mark },
    detached: true,
    stdio: 'pipe',
  })
  const exited = new Promise<Pick<ScriptRun, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (exitCode, by) => resolve({ exitCode, signal: by }))
  })
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  await once(child, 'spawn')
  child.on('error', () => undefined)
  const leader = child.pid as number
  const endWatch = endGroupWithProcess(leader)

  let ended: ScriptRun['ended'] = 'exited'
  let killing: NodeJS.Timeout | undefined
  const end = (why: Exclude<ScriptRun['ended'], 'exited'>) => {
    if (ended !== 'exited') return
    ended = why
    signalGroup(leader, 'SIGTERM')
    killing = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs)
  }
  const stdout = new BoundedOutput(request.maxBytes)
  const stderr = new BoundedOutput(request.maxBytes)
  const keep = (stream: BoundedOutput) => (chunk: Buffer) => {
    if (ended !== 'exited') return
    stream.add(chunk)
    if (stdout.total + stderr.total > request.floodBytes) end('too-much-output')
  }
  child.stdout.on('data', keep(stdout))
  child.stderr.on('data', keep(stderr))
  // Whoever does not read its input may close it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  const onAbort = () => end('aborted')
  const timer = setTimeout(() => end('timed-out'), timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    const status = await exited
    signalGroup(leader, 'SIGKILL')
    await killMarkedProcesses(mark)
    await settledStreams(closed, child)
    const durationMs = Math.round(performance.now() - started)
    return { ended, ...status, stdout: stdout.text(), stderr: stderr.text(), durationMs }
  } finally {
    clearTimeout(timer)
    clearTimeout(killing)
    signal.removeEventListener('abort', onAbort)
    endWatch()
  }
}

/** A process that got away may hold the streams for ever. */
async function settledStreams(
  closed: Promise<void>,
  { stdin, stdout, stderr }: Pick<ReturnType<typeof spawn>, 'stdin' | 'stdout' | 'stderr'>,
): Promise<void> {
  const timer = setTimeout(() => {
    for (const stream of [stdin, stdout, stderr]) stream?.destroy()
  }, STREAM_CLOSE_MS)
  await closed
  clearTimeout(timer)
}

/** The variable by which the processes of one run are known, wherever they have gone. */
const RUN_MARK = 'LOADOUT_SCRIPT_RUN'

/** Looks for processes that come while others are held. */
const MAX_PASSES = 50

/** Between two looks at whether the killed are gone, in milliseconds. */
const POLL_MS = 5

/** Signal every process of a group; one that is gone already is no fault. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal)
}

/**
 * End the processes of a run that left its group. They are stopped first and looked for again, so that
 * none starts others behind our back, and waited for, since the killed take a moment to die. On systems
 * without `/proc` there is no telling, and nothing happens.
 */
async function killMarkedProcesses(mark: string): Promise<void> {
  const held = new Set<number>()
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = (await markedProcesses(mark)).filter((pid) => !held.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      held.add(pid)
      send(pid, 'SIGSTOP')
    }
  }
  for (const pid of held) send(pid, 'SIGKILL')
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    if ((await markedProcesses(mark)).length === 0) return
    await delay(POLL_MS)
  }
}

async function markedProcesses(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
        return environment.includes(`${RUN_MARK}=${mark}`) ? [Number(name)] : []
      }),
  )
  return found.flat()
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Waits for the end of its input, which comes when this process dies, however it does. */
const WATCH_SCRIPT = 'read -r _; kill -KILL -"$1"'

/**
 * Let a process group end with this process, also when it is killed: a script is in a session of its own, so
 * that no signal of a terminal reaches it. Returns what ends the watch.
 */
function endGroupWithProcess(leader: number): () => void {
  const watch = spawn('/bin/sh', ['-c', WATCH_SCRIPT, 'sh', String(leader)], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A system without a shell goes without a watch.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  return () => {
    watch.kill('SIGKILL')
  }
}

/**
 * What is kept of a stream: all of it, or its beginning and its end with a notice between. Bounded,
 * however much comes.
 */
class BoundedOutput {
  readonly #half: number
  #head = Buffer.alloc(0)
  #tail: readonly Buffer[] = []
  #tailBytes = 0
  #total = 0

  /** @param maxBytes bytes that are kept in all */
  constructor(maxBytes: number) {
    this.#half = Math.ceil(maxBytes / 2)
  }

  /** Bytes that came. */
  get total(): number {
    return this.#total
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length
    const room = this.#half - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    const rest = chunk.subarray(Math.max(0, room))
    if (rest.length === 0) return
    this.#tail = [...this.#tail, rest]
    this.#tailBytes += rest.length
    if (this.#tailBytes > 2 * this.#half) {
      const end = Buffer.concat(this.#tail).subarray(-this.#half)
      this.#tail = [Buffer.from(end)]
      this.#tailBytes = end.length
    }
  }

  /** As text for a model and a terminal: hidden characters are shown. */
  text(): string {
    const end = Buffer.concat(this.#tail).subarray(-this.#half)
    const left = this.#total - this.#head.length - end.length
    if (left === 0) return sanitiseText(decode(Buffer.concat([this.#head, end])))
    const head = new TextDecoder('utf-8').decode(this.#head, { stream: true })
    const tail = decode(end.subarray(continuation(end)))
    const notice = `\n[… ${left.toLocaleString('en')} bytes left out …]\n`
    return sanitiseText(head) + notice + sanitiseText(tail)
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes)
}

/** Bytes at the start of a cut that belong to the character before it. */
function continuation(bytes: Uint8Array): number {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return start < 0 ? Math.min(3, bytes.length) : start
}
