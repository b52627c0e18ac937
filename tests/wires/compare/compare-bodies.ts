import type { JsonObject, Wire } from '../wire.ts'
import { type PromptPart, promptParts, type Segment } from './prompt-parts.ts'

/** The place where a body begins to differ from the one before. */
export interface BodyChange {
  readonly segment: Segment
  /** The name of a tool, or a place such as `messages/3/content/0`; the part that was removed, if one was. */
  readonly part: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** The text from the first byte that differs, at most 60 characters; of the later body if it has the part. */
  readonly excerpt: string
}

export interface BodyComparison {
  /** Null when the later body begins with all of the earlier one. */
  readonly changed: BodyChange | null
  /** The first parts of the later body that are those of the earlier one. */
  readonly keptParts: number
  /** The number of parts of the earlier body. */
  readonly partsBefore: number
  /** UTF-8 bytes of the prompt before the first one that differs. */
  readonly keptBytes: number
  /** UTF-8 bytes of the prompt of the earlier body. */
  readonly bytesBefore: number
  /** Other members of the body that differ, such as `model` or `tool_choice`. */
  readonly settings: readonly string[]
}

/**
 * Compares two consecutive bodies of one wire, by what the provider reads and in the order in which it does.
 *
 * A conversation that the provider keeps (`previous_response_id`, `thread`) is not in the bodies: what is compared
 * then is what was sent.
 */
export function compareBodies(
  wire: Wire,
  earlier: JsonObject,
  later: JsonObject,
  order?: readonly Segment[],
): BodyComparison {
  const before = promptParts(wire, earlier, order)
  const now = promptParts(wire, later, order)
  const same = before.findIndex((part, index) => !isSame(part, now[index]))
  const keptParts = same < 0 ? before.length : same
  const [old, fresh] = [before[keptParts], now[keptParts]]
  const shared = sharedLength(old?.text ?? '', fresh?.text ?? '')
  return {
    changed: old === undefined ? null : changeOf(old, fresh, now, shared),
    keptParts,
    partsBefore: before.length,
    keptBytes:
      bytesOf(before.slice(0, keptParts)) + Buffer.byteLength(old?.text.slice(0, shared) ?? ''),
    bytesBefore: bytesOf(before),
    settings: changedSettings(earlier, later),
  }
}

function changeOf(
  old: PromptPart,
  fresh: PromptPart | undefined,
  now: readonly PromptPart[],
  shared: number,
): BodyChange {
  const isStillThere = now.some((part) => isSame(old, part) || isNamed(old, part))
  if (fresh === undefined || !isStillThere) {
    return { segment: old.segment, part: old.part, kind: 'removed', excerpt: excerpt(old, shared) }
  }
  const kind = isNamed(old, fresh) ? 'changed' : 'added'
  return { segment: fresh.segment, part: fresh.part, kind, excerpt: excerpt(fresh, shared) }
}

const excerpt = ({ text }: PromptPart, from: number) => text.slice(from, from + 60)

/** The same content in the same segment. Where it is in its list does not matter. */
function isSame(one: PromptPart, other: PromptPart | undefined): boolean {
  return one.segment === other?.segment && one.text === other.text
}

function isNamed(one: PromptPart, other: PromptPart): boolean {
  return one.segment === other.segment && one.part === other.part
}

function bytesOf(parts: readonly PromptPart[]): number {
  return parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

const PROMPT = new Set([
  'tools',
  'instructions',
  'input',
  'system',
  'messages',
  'stream',
  'stream_options',
])

function changedSettings(earlier: JsonObject, later: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)])
  return [...names].filter(
    (name) => !PROMPT.has(name) && JSON.stringify(earlier[name]) !== JSON.stringify(later[name]),
  )
}
