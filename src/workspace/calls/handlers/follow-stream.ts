import { deepFreeze, type JsonValue } from '../../../kernel/json-value.ts'
import type { Redactor } from '../../../kernel/redactor.ts'
import { handlerAnswer, plainResult, restoreMissingData } from './handler-answer.ts'
import type { JsonRefusal } from './json-result.ts'
import { ignoreRejections, settle, type Settled } from './settle.ts'

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
  /** With `cut`, outputs over the limits are not reported, and the stream is read on. */
  readonly oversized: 'cut' | 'fail'
  /** True to copy values as `JSON.stringify` does. */
  readonly isLenient?: boolean
  /** Hides the secrets of the names of parts. */
  readonly redactor?: Redactor | undefined
  /** Gets each value in order; the next one is read when this has resolved. Must not reject. */
  onOutput(output: JsonValue, index: number): void | Promise<void>
}

/** The outcome of a stream: its result as if it had been returned, or the refusal of an output. */
export type StreamEnd = Settled | { readonly kind: 'unfit'; readonly refusal: JsonRefusal }

/**
 * Reads a stream to its end. The result is what it returns, or else the last value it yielded. Never
 * rejects. When reading stops early (the call was aborted, the stream yields a value that JSON cannot carry, or too
 * much where that fails the call), the stream's `return` is called and not awaited.
 */
export async function followStream(
  stream: AsyncIterable<unknown>,
  follower: StreamFollower,
): Promise<StreamEnd> {
  const { signal } = follower
  try {
    const iterator = stream[Symbol.asyncIterator]()
    const end = () => void settle(() => iterator.return?.())
    if (signal.aborted) {
      end()
      return { kind: 'returned', value: undefined }
    }
    signal.addEventListener('abort', end, { once: true })
    const ended = await readStream(iterator, follower).finally(() =>
      signal.removeEventListener('abort', end),
    )
    if (ended.kind === 'unfit') end()
    return ended
  } catch (thrown) {
    return { kind: 'threw', thrown }
  }
}

async function readStream(
  iterator: AsyncIterator<unknown>,
  {
    signal,
    limits,
    maxBytes,
    contentBytes,
    oversized,
    isLenient = false,
    redactor,
    onOutput,
  }: StreamFollower,
): Promise<StreamEnd> {
  let left = limits.bytes
  let last: unknown = null
  for (let index = 0; ; index += 1) {
    const { done, value } = await iterator.next()
    if (signal.aborted) ignoreRejections(value)
    signal.throwIfAborted()
    if (done === true) return { kind: 'returned', value: value === undefined ? last : value }
    if (index >= limits.outputs) {
      if (oversized === 'fail') return refused(tooMany(limits))
      last = value
      // An endless generator must not keep the timer of the call from running.
      await new Promise<void>((resolve) => (globalThis.setImmediate ?? setTimeout)(resolve))
      continue
    }
    const most = Math.min(maxBytes, left)
    const plain = plainResult(value, { maxBytes: most, contentBytes, isLenient, redactor })
    if (!plain.ok && plain.isTooLarge && oversized === 'cut') {
      last = value
      continue
    }
    if (!plain.ok) {
      ignoreRejections(value)
      return refused(
        most < maxBytes && plain.isTooLarge ? tooMuch(limits) : outputRefusal(plain, index),
      )
    }
    left -= plain.bytes
    // The listener and the result share it.
    const copy = deepFreeze(restoreMissingData(plain.value, value))
    last = copy
    const answer = handlerAnswer(copy)
    if (answer.ok) await onOutput(answer.data, index)
  }
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
