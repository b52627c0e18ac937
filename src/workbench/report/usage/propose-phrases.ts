import { createToolIndex, type ToolDocument } from '../../../entries/search.ts'
import type { SessionUsage } from './session-usage.ts'
import { FITS } from './skill-tally.ts'

/** A change that the recorded sessions would have been better with. */
export interface Proposal {
  readonly kind: 'pin' | 'split' | 'merge' | 'related' | 'phrases'
  /** The skills or tools that change, the first one most. */
  readonly names: readonly string[]
  /** For people: what to do. */
  readonly text: string
  /** Of `phrases` the messages that find the skill first; else tokens at the full input price. */
  readonly before: number
  readonly after: number
  /** The sessions, or for `phrases` the messages, that were replayed; and those that are better and worse. */
  readonly replayed: number
  readonly better: number
  readonly worse: number
}

/** A message of a recorded session, with the one skill that was right for it; null where none was loaded. */
interface Replayable {
  readonly text: string
  readonly right: string | null
  /** The skills of its session. */
  readonly listed: ReadonlySet<string>
}

/** The skill that a search finds first for each message; null where none fits. */
type Found = readonly (string | null)[]

/** The latest messages that are searched again. Each takes a part of a millisecond. */
const MOST_MESSAGES = 1_000

/** Words of a phrase, and messages that a word is in. */
const MOST_WORDS = 6
const FEWEST_MESSAGES = 2

/**
 * Proposes phrases for skills that were loaded for messages whose words their descriptions do not have. All messages are
 * searched again with the phrase: more of them must find the skill first, and no other message may find it wrongly.
 */
export function proposePhrases(
  sessions: readonly SessionUsage[],
  skills: ReadonlySet<string>,
): readonly Proposal[] {
  const documents = new Map<string, ToolDocument>()
  const messages: Replayable[] = []
  for (const session of sessions.toSorted((a, b) => a.until - b.until)) {
    const listed = new Set(session.skills.map(({ name }) => name))
    for (const { name, description } of session.skills)
      if (description !== '') documents.set(name, { name, kind: 'skill', description })
    for (const { text, loaded } of session.messages) {
      const [right = null] = loaded.length === 1 ? loaded : []
      messages.push({ text, right, listed })
    }
  }
  const replayed = messages.slice(-MOST_MESSAGES)
  const before = search(documents, replayed)
  return [...skills].toSorted().flatMap((name) => {
    const document = documents.get(name)
    if (document === undefined) return []
    return proposeFor(document, { documents, messages: replayed, before })
  })
}

function proposeFor(
  document: ToolDocument,
  {
    documents,
    messages,
    before,
  }: {
    readonly documents: ReadonlyMap<string, ToolDocument>
    readonly messages: readonly Replayable[]
    readonly before: Found
  },
): readonly Proposal[] {
  const { name } = document
  const lost = messages.filter(({ right }, index) => right === name && before[index] !== name)
  for (const phrase of phrasesFor(lost, messages, name)) {
    const changed = new Map(documents).set(name, { ...document, phrases: [phrase] })
    // Most phrases help none of the messages that they are for.
    if (!search(changed, lost).includes(name)) continue
    const after = search(changed, messages)
    const isRight = (found: Found) =>
      messages.map(({ right }, at) => right !== null && found[at] === right)
    const [was, is] = [isRight(before), isRight(after)]
    const better = is.filter((right, at) => right && was[at] === false).length
    const worse = messages.filter(
      ({ right }, at) =>
        (was[at] && !is[at]) || (right !== name && after[at] === name && before[at] !== name),
    ).length
    if (better === 0 || worse > 0) continue
    const own = (found: Found) =>
      messages.filter(({ right }, at) => right === name && found[at] === name)
    const counts = { before: own(before).length, after: own(after).length }
    const text = `Add to the description of "${name}": "${phrase}".`
    const about = { kind: 'phrases', names: [name], text } as const
    return [{ ...about, ...counts, replayed: messages.length, better, worse }]
  }
  return []
}

/** Searches all messages. Results that are not likely to be right are left out. */
function search(
  documents: ReadonlyMap<string, ToolDocument>,
  messages: readonly Replayable[],
): Found {
  const index = createToolIndex(documents.values())
  return messages.map(({ text, listed }) => {
    const { results, confidence } = index.search(text, {
      limit: 1,
      only: (name) => listed.has(name),
    })
    return confidence < FITS ? null : (results[0]?.name ?? null)
  })
}

/** Returns phrases to try: the words that the messages share, and that others do not have; then each of them alone. */
function phrasesFor(
  lost: readonly Replayable[],
  all: readonly Replayable[],
  name: string,
): readonly string[] {
  const words = countWords(lost)
  const others = countWords(all.filter(({ right }) => right !== name))
  const shared = [...words]
    .filter(([word, times]) => times >= FEWEST_MESSAGES && times > (others.get(word) ?? 0))
    .filter(([word]) => isSearched(word))
    .toSorted(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word)
  return shared.length > 1 ? [shared.join(' '), ...shared] : shared
}

/** Counts the messages that have each word. */
function countWords(messages: readonly Replayable[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of messages) {
    for (const word of new Set(text.toLowerCase().match(/\p{L}{2,}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Returns false for a word such as "the", which no search looks for. */
function isSearched(word: string): boolean {
  return createToolIndex([{ name: '-', description: word }]).search(word).results.length > 0
}
