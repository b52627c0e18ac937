import { fromBase64, utf8 } from '../../kernel/byte-length.ts'
import type { BackgroundResult, CutFacts, RecordedPart } from '../../engine/model/call-event.ts'
import type { Command } from '../../engine/model/command.ts'
import type { CallTokens } from '../../engine/model/step-cost.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { shorten, thrownMessage, tryOrUndefined } from '../../kernel/thrown-message.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import {
  type BinaryPart,
  type ContentPart,
  isBinaryPart,
  partBytes,
  partText,
} from '../../tools/response/content-part.ts'
import { fateSentence } from '../../tools/response/call-fate.ts'
import { RESPONSE_VERSION, type ToolResponse } from '../../tools/response/tool-response.ts'
import { callFailure, editedError, endNotRecorded } from './call-failure.ts'
import type { DeskParts, StoredBlob } from './desk-parts.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { isMeta, READ_RESULT } from '../../engine/model/source-event.ts'
import { extractEntities } from './handlers/extract-entities.ts'
import {
  countedTokens,
  findsNothing,
  fitToModel,
  readableText,
  shownText,
} from './handlers/fit-to-model.ts'
import type { CutResult } from './handlers/handler-answer.ts'
import { checkIntents } from './intents/check-intents.ts'
import { storedResult } from './recorded-response.ts'
import type { CallEnd, StartedCall } from './run-call.ts'
import type { Outcome } from '../commands/outcome.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'

/**
 * Stores the data of a result, logs how its call ended, and deactivates the skills whose lifetime is over. Never
 * rejects.
 */
export async function endCall(
  started: StartedCall,
  returned: CallEnd,
  parts: DeskParts,
): Promise<ToolResponse> {
  const { dispatcher, limits, intents: known, inFlight, callCounter, context, definitions } = parts
  const { call, tool: called, cause, inBackground, targetMs } = started
  const { name: tool } = called
  const given = await readByModel(returned, started, parts)
  const decoded = decodedParts(given.ok ? given.content : undefined)
  const unstored = await storeBlobs(given, decoded, tool, parts)
  const noted = withNote(given, parts.blobs !== undefined && unstored === undefined)
  const outcome = withOtherArguments(noted, started)
  const durationMs = Math.round(outcome.durationMs)
  const asked = outcome.ok ? outcome.intents : []
  const { intents, dropped } = await checkIntents(asked, known, limits.timeoutMs)
  const content = outcome.ok ? outcome.content : undefined
  const output = outcome.ok ? shownText(outcome) : outcome.error.message
  const extracted = outcome.ok ? extractEntities(called, outcome.data) : undefined
  const attempts = outcome.attempts > 1 ? { attempts: outcome.attempts } : {}
  const isByModel = started.request.caller === 'model' && !isMeta(started.owner)
  const isRead = isByModel && called.category !== 'action'
  const isCut = outcome.ok && outcome.cut?.shown !== undefined
  const isStored = isCut ? parts.keepsRest : parts.keepResults && keepsResult(started)
  const stored = isStored ? storedResult(outcome, returned, started, parts) : undefined
  if (stored) definitions.addResult(stored.hash, stored.value)
  const about = {
    type: 'call.end' as const,
    call,
    tool,
    ok: outcome.ok,
    error: outcome.ok ? null : outcome.error.type,
    durationMs,
    intents,
    dropped,
    ...attempts,
    ...(targetMs !== null && durationMs > targetMs && { missedTargetMs: targetMs }),
    ...(callCounter && { tokens: callTokens(callCounter, { input: started.given, output }) }),
    ...(content && recordedContent(content, decoded)),
    ...recordedWarnings(returned.meta, context.redactor),
    ...(outcome.ok && outcome.cut && { cut: recordedCut(outcome.cut) }),
    ...(isRead && returned.ok && findsNothing(returned) && { empty: true as const }),
    ...(stored && { stored: stored.hash }),
    ...(inBackground && {
      result: backgroundResult(outcome, limits.keptBytes, context.redactor),
    }),
    ...(extracted && { extracted }),
    ...(outcome.ok && context.catalog.conditional && { paths: pathsIn(started) }),
  }
  const hasChildren = parts.store.getState().state.children.length > 0
  const command = {
    ...about,
    ...(hasChildren && { children: await parts.children.endThoseOf(call) }),
  }
  let ended: Outcome
  try {
    ended = await dispatcher.dispatch(command, cause, { callOf: tool })
  } catch (problem) {
    inFlight.keepEnd({ command, cause })
    return callFailure({ tool, call, durationMs }, endNotRecorded(tool, outcome, problem))
  }
  if (stored) definitions.dropResult(stored.hash)
  await endLifetimes(parts)
  const own = { version: RESPONSE_VERSION, tool, call, durationMs, seq: ended.seq } as const
  const warnings = [...leftOutWarning(started), ...(unstored === undefined ? [] : [unstored])]
  const meta = { ...outcome.meta, ...own, ...attempts, ...withWarnings(outcome.meta, warnings) }
  return outcome.ok
    ? { ok: true, data: outcome.data, ...(content && { content }), intents, meta }
    : { ok: false, error: outcome.error, meta }
}

/** Returns the files that a call used, as its tool names them: none for a tool that names no texts, or throws. */
function pathsIn({ tool, input }: StartedCall): readonly string[] {
  const given: unknown = tool.paths && tryOrUndefined(() => tool.paths?.(input))
  return [given]
    .flat()
    .filter((path) => typeof path === 'string')
    .slice(0, MOST_PATHS)
}

/** Files of one call that are looked at. */
const MOST_PATHS = 100

/**
 * Only a call whose id came with it can be made again. A background call is answered before it ends, and what
 * `read_result` returns is kept already.
 */
export function keepsResult({ request, inBackground, tool, owner }: StartedCall): boolean {
  const isReading = isMeta(owner) && tool.name === READ_RESULT
  return request.call !== undefined && !inBackground && !isReading
}

/** Cuts a result to the tokens that a model reads of it, offers the tool that reads on, and notes what it reads. */
async function readByModel(
  given: CallEnd,
  { request, tool, owner, inBackground, since }: StartedCall,
  { limits, window, counter, keepsRest, blobs, offerReading }: DeskParts,
): Promise<CallEnd> {
  if (request.caller !== 'model' || inBackground) return given
  const text = given.ok ? readableText(given) : given.error.message
  const most = window.most(tool.resultTokens ?? limits.resultTokens)
  let read: CallEnd = given
  if (given.ok && text !== null && !(isMeta(owner) && tool.name === READ_RESULT)) {
    const { maxBytes } = limits
    const terms = { tokens: most, maxBytes, counter, handle: `r${since}` }
    const fitted = fitToModel(given, text, terms)
    const inBlobs = !keepsRest && blobs?.get !== undefined
    const canRead = fitted !== given && (keepsRest || inBlobs) && (await offerReading())
    read =
      fitted === given || canRead ? fitted : fitToModel(given, text, { ...terms, handle: null })
    if (inBlobs && read.ok && read.cut?.shown !== undefined) {
      read = { ...read, cut: { ...read.cut, whole: text } }
    }
  }
  window.note(countedTokens(read.ok ? shownText(read) : (text ?? ''), counter))
  return read
}

type Content = readonly ContentPart[]

/** Parts of one result that the log records. */
const MAX_RECORDED = 20

/** The data of parts, with the digest under which the log has it. */
type DecodedParts = ReadonlyMap<
  ContentPart,
  { readonly bytes: Uint8Array; readonly digest: ContentHash }
>

/** Decodes and hashes data, once: parts may be large. */
function decodedParts(content: Content = []): DecodedParts {
  return new Map(
    content.filter(isBinaryPart).map((part) => {
      const bytes = fromBase64(part.data)
      return [part, { bytes, digest: textHash(bytes) }]
    }),
  )
}

function recordedContent(
  content: Content,
  decoded: DecodedParts,
): Pick<CallEnded, 'content' | 'contentLeftOut'> {
  const leftOut = content.length - MAX_RECORDED
  const recorded = content.slice(0, MAX_RECORDED).map((part): RecordedPart => {
    const { type, mediaType, name } = part as Pick<RecordedPart, 'type' | 'mediaType' | 'name'>
    return {
      type,
      ...(mediaType !== undefined && { mediaType }),
      ...(name !== undefined && { name }),
      bytes: partBytes(part),
      digest: decoded.get(part)?.digest ?? textHash(textIn(part)),
    }
  })
  return { content: recorded, ...(leftOut > 0 && { contentLeftOut: leftOut }) }
}

type CallEnded = Extract<Command, { type: 'call.end' }>

/** The text of a part without data, or the URI of a link. */
function textIn(part: ContentPart): string {
  return part.type === 'resource-link' ? part.uri : 'text' in part ? (part.text ?? '') : ''
}

/**
 * Stores the data of a result in the store of the host. Returns a warning when the store fails, or hangs until
 * the time limit of calls; the log gets it, too.
 */
async function storeBlobs(
  outcome: CallEnd,
  decoded: DecodedParts,
  tool: string,
  { blobs, limits, closing, dispatcher, context }: DeskParts,
): Promise<string | undefined> {
  if (blobs === undefined || !outcome.ok) return undefined
  const data = dataToStore(outcome, decoded)
  if (data.length === 0) return undefined
  const putAll = async () => {
    for (const one of data) await blobs.put(one)
  }
  try {
    await withTimeLimit('The blob store', limits.timeoutMs, putAll, closing.signal)
    return undefined
  } catch (problem) {
    const why = thrownMessage(problem)
    const message = `Data of the result was not stored: ${context.redactor?.text(why) ?? why}`
    const hint = 'The caller has the data. The log has its digest.'
    const warning = { type: 'warning.give', code: 'blobs-not-stored', subject: tool } as const
    const command = { ...warning, message, hint }
    await dispatcher.dispatch(command, { by: 'host' }, { callOf: tool }).catch(() => undefined)
    return message
  }
}

/** Returns the data of the parts of a result, and all of a result that was cut. */
function dataToStore(
  { data, cut }: Extract<CallEnd, { ok: true }>,
  decoded: DecodedParts,
): readonly StoredBlob[] {
  const ofParts = [...decoded].map(([part, { bytes, digest }]) => {
    const { mediaType = 'application/octet-stream' } = part as BinaryPart
    return { digest, mediaType, bytes }
  })
  if (cut === undefined || cut.whole === null) return ofParts
  const mediaType = typeof data === 'string' ? 'text/plain' : 'application/json'
  const bytes = utf8(cut.whole)
  return [...ofParts, { digest: textHash(bytes), mediaType, bytes }]
}

/** Adds a sentence from which the model sees with which arguments of a person a call ran. */
function withOtherArguments(outcome: CallEnd, { edited }: StartedCall): CallEnd {
  if (edited === undefined) return outcome
  const { given } = edited
  const meta = { ...outcome.meta, edited: given }
  if (!outcome.ok) return { ...outcome, error: editedError(outcome.error, { given }), meta }
  const text = fateSentence({ kind: 'edited', input: given })
  const { content = [{ type: 'text', text: textOf(outcome.data) }] } = outcome
  return { ...outcome, content: [{ type: 'text', text }, ...content], meta }
}

/** Adds a part from which the model sees that a result was cut. Without other parts, the data comes before it. */
function withNote(outcome: CallEnd, isStored: boolean): CallEnd {
  if (!outcome.ok || outcome.cut === undefined) return outcome
  const { data, content, cut, meta } = outcome
  const { whole } = cut
  const digest = isStored && whole !== null ? { digest: textHash(whole) } : {}
  if (cut.shown !== undefined) return { ...outcome, cut: { ...cut, ...digest } }
  const kept = digest.digest === undefined ? '' : ` All of it is stored as ${digest.digest}.`
  const note =
    whole === null
      ? `The result has more than ${cut.bytes} bytes, so it was left out. The tool has done its work.`
      : `The result was cut, because it has ${cut.bytes} bytes. The tool has done its work.${kept}`
  const shown = { type: 'text' as const, text: textOf(data) }
  const read = whole === null ? [] : (content ?? [shown])
  return {
    ...outcome,
    content: [...read, { type: 'text', text: note }],
    cut: { ...cut, ...digest },
    meta: { ...meta, ...withWarnings(meta, [note]), cut: cut.bytes },
  }
}

/** Warnings of one call that the log records. */
const MOST_WARNINGS = 5

function recordedWarnings(
  { warnings }: NonNullable<CallEnd['meta']> = {},
  redactor: Redactor | undefined,
): Pick<CallEnded, 'warnings'> {
  const given = Array.isArray(warnings) ? (warnings as readonly unknown[]) : []
  const texts = given.filter((one) => typeof one === 'string').slice(0, MOST_WARNINGS)
  const recorded = texts.map((text) => shorten(redactor?.text(text) ?? text))
  return recorded.length === 0 ? {} : { warnings: recorded }
}

function recordedCut({ bytes, digest, shown, length }: CutResult): CutFacts {
  const read = shown !== undefined && length !== undefined ? { shown, length } : {}
  return { bytes, ...(digest !== undefined && { digest }), ...read }
}

function withWarnings(meta: Readonly<Record<string, unknown>> = {}, more: readonly string[]) {
  if (more.length === 0) return {}
  const { warnings } = meta
  return { warnings: [...(Array.isArray(warnings) ? (warnings as string[]) : []), ...more] }
}

function leftOutWarning({ leftOut }: StartedCall): readonly string[] {
  if (leftOut.length === 0) return []
  return [`Arguments that the schema does not know were left out: ${shorten(leftOut.join(', '))}.`]
}

/**
 * The part of a background result that the log keeps. Redacted before it is cut: half of a secret would not be
 * recognised.
 */
function backgroundResult(
  outcome: CallEnd,
  maxBytes: number,
  redactor?: Redactor,
): BackgroundResult {
  if (!outcome.ok) return { ok: false, message: outcome.error.message }
  const { content } = outcome
  const data = redactor?.value(outcome.data) ?? outcome.data
  const json = cutTo(maxBytes, JSON.stringify(data))
  const kept = json.cutFrom === undefined ? { data } : { data: json.head, cutFrom: json.cutFrom }
  if (content === undefined) return { ok: true, ...kept }
  const plain = content.map(partText).join('\n')
  const { head, cutFrom } = cutTo(maxBytes, redactor?.text(plain) ?? plain)
  const cut = cutFrom === undefined ? {} : { contentCutFrom: cutFrom }
  return { ok: true, ...kept, content: head, ...cut }
}

/** Cuts a text to a number of bytes. Says how many it had, if it was longer. */
function cutTo(maxBytes: number, text: string): { head: string; cutFrom?: number } {
  const bytes = utf8(text)
  if (bytes.length <= maxBytes) return { head: text }
  // A decoder in stream mode leaves out a character that was cut in two.
  const head = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
  return { head, cutFrom: bytes.length }
}

/**
 * Counts the tokens of a call as a model writes and reads it: its arguments, and its data or error message,
 * as JSON unless they are text.
 */
export function callTokens(
  counter: TokenCounter,
  { input, output }: { readonly input: unknown; readonly output: unknown },
): CallTokens {
  return {
    arguments: Math.round(countedTokens(textOf(input), counter)),
    result: Math.round(countedTokens(textOf(output), counter)),
  }
}

/** Both are JSON: the arguments were checked before the call, the result after it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
