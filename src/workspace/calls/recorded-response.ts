import { fromBase64, toBase64 } from '../../kernel/byte-length.ts'
import type { CallMadeBefore } from '../../engine/decide/decide-retry.ts'
import type { EventOf } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type ContentHash, contentHash, textHash } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue, wellFormed } from '../../kernel/json-value.ts'
import { REDACTED } from '../../kernel/redactor.ts'
import {
  type BinaryPart,
  type ContentPart,
  describePart,
  isBinaryPart,
} from '../../tools/response/content-part.ts'
import { fateSentence } from '../../tools/response/call-fate.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import {
  RESPONSE_VERSION,
  type ResponseError,
  responseError,
  type ToolResponse,
} from '../../tools/response/tool-response.ts'
import { modelText } from '../../tools/response/model-text.ts'
import { callOpen } from './call-failure.ts'
import type { DeskParts } from './desk-parts.ts'
import { cutJson } from './handlers/cut-result.ts'
import { readableText } from './handlers/fit-to-model.ts'
import { hiderFor } from './handlers/answer-hider.ts'
import type { CallEnd, StartedCall } from './run-call.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'

/** A part of a stored result. The blob store has the data. */
interface StoredPart {
  readonly part: JsonValue
  /** The digest of its data, and the sentence about it. Absent for a part without data. */
  readonly digest?: ContentHash
  readonly sentence?: string
}

/** The result of a call, as the log stores it: plain JSON. */
type StoredResult = {
  readonly [member in 'data' | 'content' | 'error' | 'meta']?: JsonValue
} & {
  /** All that `read_result` can read, where that is not the data. */
  readonly whole?: string
  /** The bytes to which the data is cut for its caller; all of it is stored. */
  readonly dataBytes?: number
}

/** Returns the result of a call in its stored form, without secrets, with its hash. */
export function storedResult(
  outcome: CallEnd,
  returned: CallEnd,
  { owner }: StartedCall,
  { context: { redactor }, limits }: DeskParts,
): { readonly hash: ContentHash; readonly value: JsonValue } {
  const { meta } = outcome
  const result = outcome.ok
    ? {
        data: outcome.data,
        ...(outcome.content && { content: outcome.content.map(storedPart) }),
        ...(meta && { meta }),
        ...(returned.ok && outcome.cut?.shown !== undefined && rest(returned, limits.maxBytes)),
      }
    : { error: outcome.error, ...(meta && { meta }) }
  const plain = JSON.parse(JSON.stringify(result)) as JsonValue
  const value = redactor ? hiderFor(redactor, owner)(plain) : plain
  return { hash: contentHash(value), value }
}

/** Returns what the log keeps of a result of which a model got a part. */
function rest(
  returned: Extract<CallEnd, { ok: true }>,
  maxBytes: number,
): Pick<StoredResult, 'data' | 'whole' | 'dataBytes'> {
  const { data, content, cut } = returned
  if (content !== undefined) return { whole: readableText(returned) ?? '' }
  if (cut === undefined || cut.whole === null) return {}
  const all = typeof data === 'string' ? cut.whole : (JSON.parse(cut.whole) as JsonValue)
  return { data: all, dataBytes: maxBytes }
}

function storedPart(part: ContentPart): StoredPart {
  if (!isBinaryPart(part)) return { part: part as JsonValue }
  const { data, ...rest } = part
  const digest = textHash(fromBase64(data))
  return { part: rest as JsonValue, digest, sentence: describePart(part) }
}

/**
 * Returns the response of a call that was made before: with what the log recorded, or with an error that says that
 * its result was not kept. Rejects with the errors of the log.
 */
export async function recordedResponse(
  made: CallMadeBefore,
  parts: DeskParts,
): Promise<ToolResponse> {
  const { log, session, definitions, inFlight } = parts
  if (made.open !== null) return callOpen(made.open, made.tool, made.call, made.started)
  const kept = inFlight.keptResponse(made.started)
  if (kept !== undefined)
    return withAttempt({ ...kept, meta: { ...kept.meta, recorded: true } }, made)
  const [entry] = await log.read(session, made.ended, made.ended)
  const event = entry?.event.type === 'call.ended' ? entry.event : undefined
  // A log of an earlier version may have halves of surrogate pairs.
  const stored = wellFormed(event?.stored && (await definitions.readResult(event.stored)))
  const { durationMs = 0, intents = [], attempts } = event ?? {}
  const own = {
    version: RESPONSE_VERSION,
    tool: made.tool,
    call: made.call,
    durationMs,
    seq: made.ended,
    ...(attempts !== undefined && { attempts }),
    recorded: true,
  } as const
  if (!isObject(stored)) return { ok: false, error: notKept(made, event), meta: own }
  const { data: all = null, content, error, meta: facts, dataBytes } = stored as StoredResult
  const data = dataBytes === undefined ? all : cutJson(all as JsonValue, dataBytes)
  const meta = { ...(facts as object | undefined), ...own }
  if (error !== undefined) return { ok: false, error: error as unknown as ResponseError, meta }
  const restored =
    content === undefined ? {} : { content: await restoredParts(content as never, parts) }
  return withAttempt({ ok: true, data, ...restored, intents, meta }, made)
}

/** Adds a sentence to the result of a call of an answer that was thrown away: the model thinks that it makes the call now. */
function withAttempt(response: ToolResponse, { isThrownAway }: CallMadeBefore): ToolResponse {
  if (isThrownAway !== true || !response.ok) return response
  const { content = [{ type: 'text', text: modelText(response) }] } = response
  return {
    ...response,
    content: [{ type: 'text', text: fateSentence({ kind: 'recorded' }) }, ...content],
  }
}

/**
 * Returns what the gate has to know of the request that a call answers: its history, where the session has gone on since,
 * and whether the arguments come from an answer that was kept without its secrets.
 *
 * @param history that of the last request of this process
 */
export function answeredRequest(given: unknown, history: string | null, state: WorkspaceState) {
  const made = state.stepCalls.requests.find((one) => one.history === history)
  const isRepeated = made?.answer?.hidden === true && (made.attempts ?? 1) > 1
  return {
    ...(history !== null && history !== state.conversation.history && { history }),
    ...(isRepeated && (JSON.stringify(given) ?? '').includes(REDACTED) && { hasHidden: true }),
  }
}

function notKept(
  { tool }: CallMadeBefore,
  ended: EventOf<'call.ended'> | undefined,
): ResponseError {
  const how = ended === undefined ? 'was called' : ended.ok ? 'succeeded' : 'failed'
  const message = `"${tool}" ${how} before under this id, and the session does not keep results. Find out what it did before you call it again.`
  return responseError(ended?.error ?? ErrorType.ABORTED, message, { code: 'result-not-kept' })
}

function restoredParts(
  stored: readonly StoredPart[],
  parts: DeskParts,
): Promise<readonly ContentPart[]> {
  return Promise.all(
    stored.map(async ({ part, digest, sentence }): Promise<ContentPart> => {
      if (digest === undefined) return part as unknown as ContentPart
      const data = await storedData(digest, parts)
      return data === null
        ? { type: 'text', text: `${sentence ?? ''} Its data was not kept.` }
        : ({ ...(part as object), data } as BinaryPart)
    }),
  )
}

/** Returns data from the blob store in base64; null when it has none, fails, hangs, or has other data. */
async function storedData(
  digest: ContentHash,
  { blobs, limits, closing }: DeskParts,
): Promise<string | null> {
  if (blobs?.get === undefined) return null
  try {
    const read = async () => blobs.get?.(digest)
    const bytes = await withTimeLimit('The blob store', limits.timeoutMs, read, closing.signal)
    if (!(bytes instanceof Uint8Array)) return null
    return textHash(bytes) === digest ? toBase64(bytes) : null
  } catch {
    return null
  }
}
