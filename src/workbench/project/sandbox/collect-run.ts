import type { ScriptRun } from '../../../entries/index.ts'
import { sanitiseText } from '../../../entries/kit.ts'
import type { SandboxProcess } from './sandbox-session.ts'
import type { ProcessEnd } from '../../../connections/processes/start-process.ts'

/** Limits of one run. */
export interface RunLimits {
  /** Milliseconds until it is ended. */
  readonly timeoutMs: number
  /** Bytes to keep of each stream. */
  readonly maxBytes: number
  /** Bytes of both streams together after which it is ended. */
  readonly floodBytes: number
}

/** Milliseconds that a process of a sandbox may take to end after it was ended. */
const KILLED_MS = 10_000

/**
 * Waits for a process and keeps a bounded part of its output. Ends it at a limit, and when the signal is aborted.
 */
export async function collectRun(
  process: SandboxProcess,
  { timeoutMs, maxBytes, floodBytes }: RunLimits,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const started = performance.now()
  const stdout = new BoundedOutput(maxBytes)
  const stderr = new BoundedOutput(maxBytes)
  const killed = Promise.withResolvers<'killed'>()
  let timer: NodeJS.Timeout | undefined
  let ended: ScriptRun['ended'] = 'exited'
  const end = (why: Exclude<ScriptRun['ended'], 'exited'>) => {
    if (ended !== 'exited') return
    ended = why
    clearTimeout(timer)
    // A sandbox may fail to end it, or never answer.
    void Promise.resolve(process.kill()).catch(() => undefined)
    timer = setTimeout(() => killed.resolve('killed'), KILLED_MS)
  }
  const keep = (output: BoundedOutput) => (chunk: Uint8Array) => {
    if (ended !== 'exited') return
    output.add(chunk)
    if (stdout.total + stderr.total > floodBytes) end('too-much-output')
  }
  const onAbort = () => end('aborted')
  timer = setTimeout(() => end('timed-out'), timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    const read = Promise.all([
      readAll(process.stdout, keep(stdout)),
      readAll(process.stderr, keep(stderr)),
    ])
    const waited = Promise.resolve(process.wait()).catch((error: unknown) => {
      if (ended === 'exited') throw error
      return null
    })
    const status = await Promise.race([
      waited.then(async (one) => (await read, one)),
      killed.promise,
    ])
    const {
      exitCode,
      signal: by = null,
      left = [],
    }: Partial<ProcessEnd> = status === 'killed' ? {} : (status ?? {})
    return {
      ended,
      exitCode: by === null ? (exitCode ?? null) : null,
      signal: by,
      stdout: stdout.text(),
      stderr: stderr.text(),
      durationMs: Math.round(performance.now() - started),
      ...(left.length > 0 && { left }),
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Reads a stream until it ends. A stream that breaks has ended. */
export async function readAll(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk(value)
    }
  } catch {
    // The process ended it.
  }
}

/**
 * The kept output of a stream: all of it, or its beginning and its end with a notice between. Its
 * size is bounded.
 */
export class BoundedOutput {
  readonly #half: number
  #head = Buffer.alloc(0)
  #tail: readonly Uint8Array[] = []
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

  add(chunk: Uint8Array): void {
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
