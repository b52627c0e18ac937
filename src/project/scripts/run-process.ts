import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ScriptRun } from '../../workspace/offer/meta-tools/script-runner.ts'

/** Limits of one run. */
export interface ProcessLimits {
  /** Milliseconds until SIGTERM. */
  readonly timeoutMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** Bytes to keep of each stream. */
  readonly maxBytes: number
  /** Bytes of both streams together after which the run is stopped. */
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

/** Milliseconds to wait for streams that a process still has open. */
const STREAM_CLOSE_MS = 500

/**
 * Runs a program until it ends, or stops it: SIGTERM for the process group, then SIGKILL. Processes
 * that it started end with it, even if it exits by itself, and with this process. No shell is
 * involved.
 *
 * Rejects when the program cannot be started.
 */
export async function runProcess(request: ProcessRequest): Promise<ScriptRun> {
  const { command, cwd, environment, stdin, signal, timeoutMs, graceMs } = request
  const mark = randomUUID()
  const started = performance.now()
  // Started first: the script may run at once, and this process may be killed at any moment.
  const watch = startWatch(mark)
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
  if (child.pid !== undefined) watch.guard(child.pid)
  await once(child, 'spawn').catch((error: unknown) => {
    watch.end()
    throw error
  })
  child.on('error', () => undefined)
  const leader = child.pid as number

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
  // A program that does not read its input may close it.
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
    watch.end()
  }
}

/** Closes the streams: a process that escaped may keep them open for ever. */
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

/** The environment variable that identifies the processes of one run. */
const RUN_MARK = 'LOADOUT_SCRIPT_RUN'

/** Maximum number of searches for new processes while others are stopped. */
const MAX_PASSES = 50

/** Milliseconds between two checks if the killed processes have ended. */
const POLL_MS = 5

/** Signals every process of a group; a group that has already ended is no error. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal)
}

/**
 * Kills the processes of a run that left its group. They are stopped first and searched for again,
 * so that none starts others meanwhile; then it waits, since killed processes take a moment to end.
 * On systems without `/proc` such processes cannot be found, and nothing happens.
 */
async function killMarkedProcesses(mark: string): Promise<void> {
  const stopped = new Set<number>()
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = (await markedProcesses(mark)).filter((pid) => !stopped.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      stopped.add(pid)
      send(pid, 'SIGSTOP')
    }
  }
  for (const pid of stopped) send(pid, 'SIGKILL')
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

/**
 * Reads the number of a group and waits for the end of its input. Then it kills the group, and every
 * process with the mark `$1`: this process may be killed before it can write the number. It searches again
 * until it finds none, since a process may start another one during a search.
 */
const WATCH_SCRIPT = `
read -r group
read -r _
[ -n "$group" ] && kill -KILL -"$group"
passes=0
found=yes
while [ -n "$found" ] && [ "$passes" -lt ${MAX_PASSES} ]; do
  found=
  for file in /proc/[0-9]*/environ; do
    grep -qs "$1" "$file" || continue
    found=yes
    pid="\${file#/proc/}"
    kill -KILL "\${pid%/environ}"
  done
  passes=$((passes + 1))
done`

interface Watch {
  guard(leader: number): void
  end(): void
}

/**
 * Starts a process that kills a process group when this process ends, however it ends: then its input
 * is closed. The script itself runs in a session of its own, so no signal of a terminal reaches it.
 */
function startWatch(mark: string): Watch {
  const watch = spawn('/bin/sh', ['-c', WATCH_SCRIPT, 'sh', `${RUN_MARK}=${mark}`], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A system without a shell has no watch.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  return {
    guard: (leader) => void watch.stdin.write(`${leader}\n`),
    end: () => void watch.kill('SIGKILL'),
  }
}

/**
 * The kept output of a stream: all of it, or its beginning and its end with a notice between. Its
 * size is bounded.
 */
class BoundedOutput {
  readonly #half: number
  #head = Buffer.alloc(0)
  #tail: readonly Buffer[] = []
  #tailBytes = 0
  #total = 0

  /** @param maxBytes bytes to keep in total */
  constructor(maxBytes: number) {
    this.#half = Math.ceil(maxBytes / 2)
  }

  /** Bytes received. */
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

  /** Returns the output as text for a model and a terminal; hidden characters are shown. */
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

/** Returns the number of bytes at the start of a cut that belong to the character before it. */
function continuation(bytes: Uint8Array): number {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return start < 0 ? Math.min(3, bytes.length) : start
}
