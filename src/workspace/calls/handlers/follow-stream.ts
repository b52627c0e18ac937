import { deepFreeze, type JsonValue } from '../../../kernel/json-value.ts'
import { handlerAnswer, plainResult, restoreMissingData } from './handler-answer.ts'
import type { JsonRefusal } from './json-result.ts'
import { ignoreRejections, settle, type Settled } from './settle.ts'
import { tryOrUndefined } from '../../../kernel/thrown-message.ts'

/** Limits of what one attempt of a call may yield before its result. */
export interface StreamLimits {
  /** Values. */
  readonly outputs: number
  /** Bytes of JSON text, all values together. */
  readonly bytes: number
}

/** Limits and listener for following a stream. */
export interface StreamFollower {
  /** Aborted when no caller waits for the result; the stream is ended then. */
  readonly signal: AbortSignal
  readonly limits: StreamLimits
  /** Bytes of JSON that one value may have. */
  readonly maxBytes: number
  /** Bytes of data that the parts of one value may have. */
  readonly contentBytes: number
  /** Gets each value in order; the next one is read when this has resolved. Must not reject. */
  onOutput(output: JsonValue, index: number): void | Promise<void>
}

/** The outcome of a stream: its result as if it had been returned, or the refusal of an output. */
export type StreamEnd = Settled | { readonly kind: 'unfit'; readonly refusal: JsonRefusal }

/** The iterator of a stream, which may be hostile. */
interface StreamSource {
  readonly iterator: unknown
  readonly next: () => unknown
}

/**
 * Reads a stream to its end. The result is what it returns, or else the last value it yielded. Never
 * rejects. When reading stops early (the call was aborted, the stream yields too much, or a value that JSON
 * cannot carry), the stream's `return` is called and not awaited.
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
  const { signal, limits, maxBytes, contentBytes, onOutput } = follower
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
    const plain = plainResult(read.value, { maxBytes: most, contentBytes })
    if (!plain.ok) {
      ignoreRejections(read.value)
      return refused(
        most < maxBytes && isTooLarge(plain) ? tooMuch(limits) : outputRefusal(plain, index),
      )
    }
    left -= plain.bytes
    // The listener and the result share it.
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

const NO_STEP = new TypeError('Its stream returned a step that is no { done, value }.')

/** True for the refusal of a complete value, rather than of something in it. */
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

const FEWER_OUTPUTS_HINT = 'Yield less often, or yield only what is new; or raise limits.stream.'
