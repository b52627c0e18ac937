import type { JsonValue } from '../../../kernel/json.ts'
import { deepFreeze } from '../../../kernel/deep-freeze.ts'
import { attempt } from '../../commands/attempt.ts'
import { handlerAnswer } from './handler-answer.ts'
import { jsonResult, type JsonRefusal } from './json-result.ts'
import { quietPromises } from './quiet-promises.ts'
import { settle, type Settled } from './settle.ts'
import { withData } from './with-data.ts'

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
  return attempt(() => typeof Reflect.get(value, Symbol.asyncIterator) === 'function') ?? false
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
    const ended = await read(source, follower)
    if (ended.kind === 'unfit') end()
    return ended
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function read(source: StreamSource, follower: StreamFollower): Promise<StreamEnd> {
  const { signal, limits, maxBytes, onOutput } = follower
  let left = limits.bytes
  let last: JsonValue = null
  for (let index = 0; ; index += 1) {
    const step = await settle(source.next)
    if (step.kind === 'threw') return step
    const read = attempt(() => stepOf(step.value))
    if (signal.aborted) quietPromises(read?.value)
    if (read === undefined || signal.aborted) return { kind: 'threw', thrown: NO_STEP }
    if (read.done) return { kind: 'returned', value: read.value === undefined ? last : read.value }
    if (index === limits.outputs) return unfit(tooMany(limits))
    const most = Math.min(maxBytes, left)
    const plain = jsonResult(read.value, { maxBytes: most })
    if (!plain.ok) {
      quietPromises(read.value)
      return unfit(most < maxBytes && isTooLarge(plain) ? tooMuch(limits) : named(plain, index))
    }
    left -= Buffer.byteLength(JSON.stringify(plain.value))
    // It is the listener's and the result's at once.
    last = deepFreeze(withData(plain.value, read.value))
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

function unfit(refusal: JsonRefusal): StreamEnd {
  return { kind: 'unfit', refusal }
}

function named({ path, message, hint }: JsonRefusal, index: number): JsonRefusal {
  return {
    ok: false,
    path,
    message: `streamed an output (number ${index + 1}) that ${message}`,
    hint,
  }
}

function tooMany({ outputs }: StreamLimits): JsonRefusal {
  const message = `streamed more than ${outputs} outputs`
  return { ok: false, path: '', message, hint: FEWER }
}

function tooMuch({ bytes }: StreamLimits): JsonRefusal {
  const message = `streamed more than ${bytes} bytes of JSON`
  return { ok: false, path: '', message, hint: FEWER }
}

const FEWER = 'Yield less often, or what is new instead of all there is; or raise limits.stream.'
