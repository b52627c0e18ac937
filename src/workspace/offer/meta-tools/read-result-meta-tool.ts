import { META_OWNER, READ_RESULT } from '../../../engine/model/source-event.ts'
import type { Entry, EventOf } from '../../../engine/model/workspace-event.ts'
import { contentHash, textHash } from '../../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import { pointerTokens } from '../../../schema/interpreter/subschemas.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { ToolError } from '../../../tools/response/error-type.ts'
import type { DeskParts } from '../../calls/desk-parts.ts'
import { headWithin, wholeAt } from '../../calls/handlers/fit-to-model.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'
import { metaTool } from './meta-tool.ts'

/** Null stands for an argument that is left out: some providers require every one. */
interface ReadInput {
  readonly call?: string | null
  readonly tool?: string | null
  readonly arguments?: JsonValue
  readonly from?: number | null
  readonly to?: number | null
  readonly search?: string | null
  readonly path?: string | null
}

/** The same definition in all sessions. */
const SHARED = { loadable: [] }

/** `read_result`: a part of a result that was cut, or of an earlier one. */
export function readResultMetaTool(parts: DeskParts): Tool {
  return metaTool<ReadInput>(SHARED, {
    name: READ_RESULT,
    description:
      'Read on in a result that was cut, or read an earlier result again: a range of characters, the places of a text, or a member of JSON.',
    arguments: {
      call: { type: 'string', description: 'As the note in the result says, such as "r12".' },
      tool: { type: 'string', description: 'Instead of "call": the latest result of this tool.' },
      arguments: { type: 'object', description: 'Only of a call with these arguments.' },
      from: { type: 'integer', description: 'The first character; 0 is the start.' },
      to: { type: 'integer', description: 'The character after the last.' },
      search: { type: 'string', description: 'Text to find.' },
      path: { type: 'string', description: 'A place in JSON, such as "rows[3].name".' },
    },
    optional: ['call', 'tool', 'arguments', 'from', 'to', 'search', 'path'],
    accepted: {
      call: { type: ['string', 'null'] },
      tool: { type: ['string', 'null'] },
      arguments: { type: ['object', 'null'], additionalProperties: true },
      from: { type: ['number', 'null'] },
      to: { type: ['number', 'null'] },
      search: { type: ['string', 'null'] },
      path: { type: ['string', 'null'] },
    },
    execute: (input) => readResult(input, parts),
  })
}

/** Registers the meta-tool, once in a session. Resolves with false where another tool has its name, or the host removed it. */
export async function offerReading(parts: DeskParts): Promise<boolean> {
  const { open, closed } = parts.store.getState().state
  const isMetaOwner = (one: { readonly source: string; readonly owner: string }) =>
    one.source === 'global' && one.owner === META_OWNER
  const known = open.find(isMetaOwner)
  if (known?.claims.some(({ name }) => name === READ_RESULT)) return true
  if (known?.givenUp?.includes(READ_RESULT) === true || (!known && closed.some(isMetaOwner))) {
    return false
  }
  const outcome = await parts.dispatcher.dispatch(
    {
      type: 'source.register',
      source: 'global',
      owner: META_OWNER,
      tools: [readResultMetaTool(parts)],
      onConflict: 'refuse',
      replace: true,
    },
    { by: 'host' },
  )
  return outcome.ok
}

async function readResult(input: ReadInput, parts: DeskParts): Promise<string> {
  const { ended, handle } = await findCall(input, parts)
  const kept = await keptText(ended, parts)
  if (kept === null) {
    throw notFound(
      `The result of "${ended.tool}" was not kept. Call the tool again if that is safe.`,
    )
  }
  const { path, search, from, to } = input
  // It may have been kept without rules of redaction, and no part shows half of a secret.
  const whole = parts.context.redactor?.text(kept) ?? kept
  const text = path ? memberText(whole, path) : whole
  const { limits, counter, window } = parts
  // The sentences around it need some, too.
  const most = Math.max(100, window.most(limits.resultTokens) - 60)
  const about = `${handle}, "${ended.tool}"${path ? `, ${path}` : ''}`
  if (search) return found(text, search, { about, most, counter, from: from ?? 0 })
  const start = wholeAt(text, Math.min(text.length, Math.max(0, Math.trunc(from ?? 0))))
  const wanted = text.slice(start, wholeAt(text, Math.max(start, Math.trunc(to ?? text.length))))
  const read = wanted.slice(0, headWithin(wanted, most, counter))
  const end = start + read.length
  const rest = end < text.length ? ` Read on from ${end}.` : ''
  return `Characters ${start} to ${end} of ${text.length} of ${about}.${rest}\n\n${read}`
}

interface Places {
  readonly about: string
  readonly most: number
  readonly counter: DeskParts['counter']
  readonly from: number
}

/** Characters around a place that was found. */
const AROUND = 120

/** Returns the places of a text, in any case of its letters, as far as the tokens go. */
function found(text: string, search: string, { about, most, counter, from }: Places): string {
  // Some letters have another length in lower case: then the places would be wrong.
  const lower = text.toLowerCase()
  const [inText, wanted] =
    lower.length === text.length ? [lower, search.toLowerCase()] : [text, search]
  const next = (at: number) => inText.indexOf(wanted, at)
  const lines: string[] = []
  let left = most
  const first = next(Math.max(0, Math.trunc(from)))
  for (let hit = first; hit >= 0; hit = next(hit + wanted.length)) {
    const [before, after] = [hit - AROUND, hit + wanted.length + AROUND]
    const around = text.slice(wholeAt(text, Math.max(0, before)), wholeAt(text, after))
    const line = `${hit}: ${around}`
    left -= counter.count(line) + 1
    if (left < 0) {
      const more = `More places follow: search from ${hit}.`
      return [`${about}:`, ...lines, more].join('\n')
    }
    lines.push(line)
  }
  if (lines.length === 0) return `Nothing was found in ${about}, from ${from}.`
  return [`${lines.length} places in ${about}:`, ...lines].join('\n')
}

/** Returns a member of JSON as text. Throws for text that is not JSON, and for a member that it does not have. */
function memberText(whole: string, path: string): string {
  let value: JsonValue
  try {
    value = JSON.parse(whole) as JsonValue
  } catch {
    throw notFound('The result is not JSON. Leave "path" out.')
  }
  const keys = path.startsWith('/')
    ? pointerTokens(path)
    : path
        .replace(/^\$/u, '')
        .replaceAll(/\[["']?/gu, '.')
        .replaceAll(/["']?\]/gu, '')
        .split('.')
        .filter((key) => key !== '')
  for (const [index, key] of keys.entries()) {
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!has) {
      const at = keys.slice(0, index).join('.') || 'the top'
      const there = Array.isArray(value)
        ? `a list of ${value.length}`
        : isObject(value)
          ? `an object with ${Object.keys(value).slice(0, 20).join(', ').slice(0, 500)}`
          : 'no list or object'
      throw notFound(`There is no "${key}": ${at} is ${there}.`)
    }
    value = (value as { readonly [key: string]: JsonValue })[key] as JsonValue
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Ended = EventOf<'call.ended'>

/** Finds the end of a call of the model in the log: by the number of its start, by its id, or by its tool and arguments. */
async function findCall(
  { call, tool, arguments: given }: ReadInput,
  { log, session }: DeskParts,
): Promise<{ readonly ended: Ended; readonly handle: string }> {
  if (!call && !tool) throw notFound('Give "call" or "tool".')
  const number = /^r(\d+)$/u.exec(call ?? '')?.[1]
  const entries = await log.read(session, number === undefined ? 0 : Number(number))
  const digest = given === undefined || given === null ? null : contentHash(given)
  const isMeant = ({ seq, cause, event }: Entry) => {
    // What the host, a person or a handler called is not the model's to read.
    if (event.type !== 'call.started' || cause.by !== 'model') return false
    if (number !== undefined) return seq === Number(number)
    if (call) return event.call === call || event.given === call
    const isTool = event.tool === tool || `${event.owner}/${event.tool}` === tool
    return isTool && (digest === null || event.digest === digest)
  }
  for (let at = entries.findLastIndex(isMeant); at >= 0;) {
    const { seq, event } = entries[at] as Entry
    const id = (event as EventOf<'call.started'>).call
    const end = entries
      .slice(at)
      .find((one) => one.event.type === 'call.ended' && one.event.call === id)
    if (end) return { ended: end.event as Ended, handle: `r${seq}` }
    at = entries.slice(0, at).findLastIndex(isMeant)
  }
  throw notFound(`No ended call is known as ${JSON.stringify(call ?? tool)}.`)
}

/** Returns all that a model can read of a result; null when it was not kept. */
async function keptText(
  { stored, cut }: Ended,
  { definitions, blobs, limits, closing }: DeskParts,
): Promise<string | null> {
  const result = stored && (await definitions.readResult(stored))
  if (isObject(result)) {
    const { whole, data, content, error } = result as {
      readonly [member in 'whole' | 'data' | 'content' | 'error']?: JsonValue
    }
    if (typeof whole === 'string') return whole
    if (cut?.shown === undefined && Array.isArray(content)) {
      const texts = content.flatMap((one) => {
        const part = isObject(one) ? one['part'] : undefined
        return isObject(part) && typeof part['text'] === 'string' ? part['text'] : []
      })
      if (texts.length > 0) return texts.join('\n\n')
    }
    const read = data ?? error ?? null
    return typeof read === 'string' ? read : JSON.stringify(read)
  }
  const digest = cut?.digest
  if (digest === undefined || blobs?.get === undefined) return null
  const get = async () => blobs.get?.(digest)
  const bytes = await withTimeLimit('The blob store', limits.timeoutMs, get, closing.signal).catch(
    () => null,
  )
  if (!(bytes instanceof Uint8Array) || textHash(bytes) !== digest) return null
  return new TextDecoder().decode(bytes)
}

function notFound(message: string): ToolError {
  return new ToolError('NOT_FOUND', message, { details: { code: 'result-not-kept' } })
}
