import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ScriptRun } from '../../workspace/offer/meta-tools/script-run.ts'
import { KeptOutput } from './kept-output.ts'
import { endMarked, RUN_MARK, signalGroup } from './process-group.ts'
import { watchGroup } from './watch-group.ts'

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
const CLOSING_MS = 500

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
  const endWatch = watchGroup(leader)

  let ended: ScriptRun['ended'] = 'exited'
  let killing: NodeJS.Timeout | undefined
  const end = (why: Exclude<ScriptRun['ended'], 'exited'>) => {
    if (ended !== 'exited') return
    ended = why
    signalGroup(leader, 'SIGTERM')
    killing = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs)
  }
  const stdout = new KeptOutput(request.maxBytes)
  const stderr = new KeptOutput(request.maxBytes)
  const keep = (stream: KeptOutput) => (chunk: Buffer) => {
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
    await endMarked(mark)
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
  }, CLOSING_MS)
  await closed
  clearTimeout(timer)
}
