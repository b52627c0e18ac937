import { deepFreeze, type JsonValue } from '../../../kernel/json-value.ts'
import { handlerAnswer, restoreMissingData } from './handler-answer.ts'
import { type JsonRefusal, jsonResult } from './json-result.ts'
import { ignoreRejections, settle, type Settled } from './settle.ts'
import { tryOrUndefined } from '../../commands/thrown-message.ts'

/** How much one attempt of a call may yield before its result. */
export interface StreamLimits {
  /** Values. */
  readonly outputs: number
  /** Bytes of JSON text, all values together. */
  readonly bytes: number
}

/** How a stream is followed. */
export interface StreamFollower {
  /** Aborted when nobody waits any more: the stream is ended then. */
  readonly signal: AbortSignal
  readonly limits: StreamLimits
  /** Bytes of JSON one value may have. */
  readonly maxBytes: number
  /** Gets each value, in order; the next one is asked for when it has resolved. Must not reject. */
  onOutput(output: JsonValue, index: number): void | Promise<void>
}

/** What a stream came to: its result as if it had been returned, or what was wrong with an output. */
export type StreamEnd = Settled | { readonly kind: 'unfit'; readonly refusal: JsonRefusal }

/** The way a stream is read, which code of others may have made. */
interface StreamSource {
  readonly iterator: unknown
  readonly next: () => unknown
}

/** Whether a handler returned a stream rather than data. Runs the getters of what it returned. */
export function isStream(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return (
    tryOrUndefined(() => typeof Reflect.get(value, Symbol.asyncIterator) === 'function') ?? false
  )
}

/**
 * Read a stream to its end: the result is what it returns, or the last it yielded when that is
 * nothing. Never rejects; when the stream is not asked on (somebody gave up, it yields too much,
 * or what JSON cannot carry), its `return` is called and not waited for.
 */
export async function followStream(stream: object, follower: StreamFollower): Promise<StreamEnd> {
  const opened = await settle(() => ({ source: sourceOf(stream) }))
  if (opened.kind === 'threw') return opened
  const { source } = opened.value as { readonly source: StreamSource }
  const end = () => void settle(() => endOf(source))
  const { signal } = follower
  if (signal.aborted) {
    end()
    return { kind: 'returned', value: undefined }
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    const ended = await readStream(source, follower)
    if (ended.kind === 'unfit') end()
    return ended
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function readStream(source: StreamSource, follower: StreamFollower): Promise<StreamEnd> {
  const { signal, limits, maxBytes, onOutput } = follower
  let left = limits.bytes
  let last: JsonValue = null
  for (let index = 0; ; index += 1) {
    const step = await settle(source.next)
    if (step.kind === 'threw') return step
    const read = tryOrUndefined(() => stepOf(step.value))
    if (signal.aborted) ignoreRejections(read?.value)
    if (read === undefined || signal.aborted) return { kind: 'threw', thrown: NO_STEP }
    if (read.done) return { kind: 'returned', value: read.value === undefined ? last : read.value }
    if (index === limits.outputs) return refused(tooMany(limits))
    const most = Math.min(maxBytes, left)
    const plain = jsonResult(read.value, { maxBytes: most })
    if (!plain.ok) {
      ignoreRejections(read.value)
      return refused(
        most < maxBytes && isTooLarge(plain) ? tooMuch(limits) : outputRefusal(plain, index),
      )
    }
    left -= Buffer.byteLength(JSON.stringify(plain.value))
    // It is the listener's and the result's at once.
    last = deepFreeze(restoreMissingData(plain.value, read.value))
    const answer = handlerAnswer(last)
    if (answer.ok) await onOutput(answer.data, index)
  }
}

function sourceOf(stream: object): StreamSource {
  const make: unknown = Reflect.get(stream, Symbol.asyncIterator)
  const iterator: unknown = Reflect.apply(make as () => unknown, stream, [])
  const next: unknown = Reflect.get(iterator as object, 'next')
  return { iterator, next: () => Reflect.apply(next as () => unknown, iterator, []) }
}

function endOf({ iterator }: StreamSource): unknown {
  const end: unknown = Reflect.get(iterator as object, 'return')
  return typeof end === 'function' ? Reflect.apply(end, iterator, []) : undefined
}

function stepOf(step: unknown): { readonly done: boolean; readonly value: unknown } {
  const done = Boolean(Reflect.get(step as object, 'done'))
  return { done, value: Reflect.get(step as object, 'value') }
}

const NO_STEP = new TypeError('Its stream gave something that is no { done, value }.')

/** The one refusal that is about a whole value, and not about what is in it. */
function isTooLarge({ path, message }: JsonRefusal): boolean {
  return path === '' && message.startsWith('is larger than')
}

function refused(refusal: JsonRefusal): StreamEnd {
  return { kind: 'unfit', refusal }
}

function outputRefusal({ path, message, hint }: JsonRefusal, index: number): JsonRefusal {
  return {
    ok: false,
    path,
    message: `streamed an output (number ${index + 1}) that ${message}`,
    hint,
  }
}

function tooMany({ outputs }: StreamLimits): JsonRefusal {
  const message = `streamed more than ${outputs} outputs`
  return { ok: false, path: '', message, hint: FEWER_OUTPUTS_HINT }
}

function tooMuch({ bytes }: StreamLimits): JsonRefusal {
  const message = `streamed more than ${bytes} bytes of JSON`
  return { ok: false, path: '', message, hint: FEWER_OUTPUTS_HINT }
}

const FEWER_OUTPUTS_HINT =
  'Yield less often, or what is new instead of all there is; or raise limits.stream.'
