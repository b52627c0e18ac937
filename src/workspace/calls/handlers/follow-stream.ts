import { deepFreeze, type JsonValue } from '../../../kernel/json-value.ts'
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
  /** Gets each value in order; the next one is read when this has resolved. Must not reject. */
  onOutput(output: JsonValue, index: number): void | Promise<void>
}

/** The outcome of a stream: its result as if it had been returned, or the refusal of an output. */
export type StreamEnd = Settled | { readonly kind: 'unfit'; readonly refusal: JsonRefusal }

/**
 * Reads a stream to its end. The result is what it returns, or else the last value it yielded. Never
 * rejects. When reading stops early (the call was aborted, the stream yields too much, or a value that JSON
 * cannot carry), the stream's `return` is called and not awaited.
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
  { signal, limits, maxBytes, contentBytes, onOutput }: StreamFollower,
): Promise<StreamEnd> {
  let left = limits.bytes
  let last: JsonValue = null
  for (let index = 0; ; index += 1) {
    const { done, value } = await iterator.next()
    if (signal.aborted) ignoreRejections(value)
    signal.throwIfAborted()
    if (done === true) return { kind: 'returned', value: value === undefined ? last : value }
    if (index === limits.outputs) return refused(tooMany(limits))
    const most = Math.min(maxBytes, left)
    const plain = plainResult(value, { maxBytes: most, contentBytes })
    if (!plain.ok) {
      ignoreRejections(value)
      return refused(
        most < maxBytes && isTooLarge(plain) ? tooMuch(limits) : outputRefusal(plain, index),
      )
    }
    left -= plain.bytes
    // The listener and the result share it.
    last = deepFreeze(restoreMissingData(plain.value, value))
    const answer = handlerAnswer(last)
    if (answer.ok) await onOutput(answer.data, index)
  }
}

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
