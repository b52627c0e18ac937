import { cutAfterWord, splitSentences } from '../../../kernel/first-sentence.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { Fact } from '../document/prompt-document.ts'

/** The text of a skill in a list. */
export interface ListedText {
  readonly description: string
  /** `whenToUse` and triggers, labelled. */
  readonly hints: readonly Fact[]
}

export const NO_TEXT: ListedText = { description: '', hints: [] }

/** A sentence of a description, or a hint: the smallest part that is kept, cut or left out. */
interface Piece {
  readonly text: string
  /** The label of a hint; a sentence has none. */
  readonly label?: string
  readonly tokens: number
}

/** A longer `whenToUse`, or longer triggers, are left out. In characters. */
const LONGEST_HINT = 160

/** The smallest share: a shorter description says nothing. In tokens. */
const LEAST_SHARE = 8

/** The smallest rest of a share for which a piece is cut and not left out. In tokens. */
const LEAST_PIECE = 4

/** Returns the text of a skill in full. */
export function listedText(skill: Skill): ListedText {
  const hints = [
    { label: 'when', value: sanitiseLine(skill.whenToUse) },
    { label: 'triggers', value: sanitiseLine(skill.triggers.join(', ')) },
  ]
  return {
    description: sanitiseLine(skill.description),
    hints: hints.filter(({ value }) => value !== '' && value.length <= LONGEST_HINT),
  }
}

/**
 * Shortens the texts of skills to the largest share for which `fits` returns true. Short texts stay as they
 * are, and the longer ones get an equal share, in tokens.
 *
 * Within its share, a text keeps the sentences that say when to use the skill, or else its hints; then its
 * other sentences from the first on. The last one that is kept may be cut. Returns null when even the smallest share
 * does not fit.
 */
export function shortenDescriptions(
  skills: readonly Skill[],
  counter: TokenCounter,
  fits: Fits,
): readonly ListedText[] | null {
  const all = skills.map((skill) => splitText(listedText(skill), counter))
  const sizes = all.map(({ byRank }) => byRank.reduce((sum, { tokens }) => sum + tokens, 0))
  return largestThatFits(
    [LEAST_SHARE, Math.max(LEAST_SHARE, ...sizes)],
    (share) => all.map((pieces) => joinPieces(pieces, share)),
    fits,
  )
}

/**
 * Shortens the texts of the first skills to the smallest share: of as many as possible. The others have none. Returns
 * null when not even one fits.
 */
export function shortenFirstDescriptions(
  skills: readonly Skill[],
  counter: TokenCounter,
  fits: Fits,
): readonly ListedText[] | null {
  const all = skills.map((skill) => joinPieces(splitText(listedText(skill), counter), LEAST_SHARE))
  return largestThatFits(
    [1, all.length],
    (count) => all.map((text, at) => (at < count ? text : NO_TEXT)),
    fits,
  )
}

type Fits = (texts: readonly ListedText[]) => boolean

/** Returns the texts of the largest number for which they fit, or null. */
function largestThatFits(
  [first, last]: readonly [number, number],
  make: (size: number) => readonly ListedText[],
  fits: Fits,
): readonly ListedText[] | null {
  let best: readonly ListedText[] | null = null
  let least = first
  let most = last
  while (least <= most) {
    const size = best === null ? least : Math.ceil((least + most) / 2)
    const texts = make(size)
    if (fits(texts)) {
      best = texts
      least = size + 1
    } else {
      if (best === null) return null
      most = size - 1
    }
  }
  return best
}

/** Splits the text of a skill: into its pieces in the order of the text, and the most important first. */
function splitText({ description, hints }: ListedText, counter: TokenCounter) {
  const sentences = splitSentences(description)
    .flatMap((sentence) => sentence.split(WITHOUT_STOP))
    .map((text) => ({ text, tokens: counter.count(` ${text}`) }))
  const labelled = hints.map(({ label, value }) => ({
    text: value,
    label,
    tokens: counter.count(`\n  - ${label}: ${value}`),
  }))
  const explicit = sentences.filter(({ text }) => USE_WHEN.test(text))
  const saysWhen = [
    ...explicit,
    ...sentences.filter(({ text }) => isAboutUse(text) && !USE_WHEN.test(text)),
  ]
  const others = sentences.filter(({ text }) => !isAboutUse(text))
  const byRank: readonly Piece[] =
    saysWhen.length > 0 ? [...saysWhen, ...others, ...labelled] : [...labelled, ...others]
  const inOrder: readonly Piece[] = [...sentences, ...labelled]
  return { inOrder, byRank }
}

const USE = /\b(?:use|uses|used|using|invoke|triggers?|activates?|apply|load)\b/iu

const CONDITION = /\b(?:when|whenever|if|for|on|before|after|proactively)\b/iu

/** The most common form, which comes before lists of triggers. */
const USE_WHEN = /\buse\b.{0,40}\bwhen(?:ever)?\b/iu

/** The blank before "Use when ..." when the sentence before it has no full stop. */
const WITHOUT_STOP = / (?=Use (?:this (?:skill )?)?when(?:ever)?\b)/u

/** Returns true for "Use when ..." and its like: the sentence by which a model decides. */
function isAboutUse(sentence: string): boolean {
  if (/^when(?:ever)?\b/iu.test(sentence)) return true
  const use = USE.exec(sentence)
  return use !== null && CONDITION.test(sentence.slice(use.index))
}

/** Returns the pieces that fit a share, the last one cut if it is too long. */
function fit(byRank: readonly Piece[], share: number): readonly Piece[] {
  const kept: Piece[] = []
  let left = share
  for (const piece of byRank) {
    if (piece.tokens > left) {
      if (left >= LEAST_PIECE) {
        const longest = Math.floor((piece.text.length * (left - 1)) / piece.tokens)
        const text = cutAfterWord(piece.text, Math.max(1, longest))
        kept.push({ ...piece, text, tokens: left })
      }
      return kept
    }
    kept.push(piece)
    left -= piece.tokens
  }
  return kept
}

function joinPieces({ inOrder, byRank }: ReturnType<typeof splitText>, share: number): ListedText {
  const kept = new Map(fit(byRank, share).map((piece, rank) => [byRank[rank], piece]))
  const pieces = inOrder.flatMap((piece) => kept.get(piece) ?? [])
  return {
    description: pieces.flatMap(({ label, text }) => (label === undefined ? text : [])).join(' '),
    hints: pieces.flatMap(({ label, text }) => (label === undefined ? [] : { label, value: text })),
  }
}
