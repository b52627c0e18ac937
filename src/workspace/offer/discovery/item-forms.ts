import type { JsonSchema } from '../../../kernel/json-value.ts'
import { findHidden, sanitiseLine } from '../../../kernel/sanitise-text.ts'
import {
  compactSignature,
  namedSignature,
} from '../../../render/prompt/sections/compact-signature.ts'
import type {
  FoundItem,
  FoundSkillItem,
  FoundToolItem,
  PageSkill,
  PageTool,
} from './search-page.ts'

/** One way to write an item on a page. */
export interface ItemForm {
  readonly entry: PageTool | PageSkill
  /** True when a part of its description or its arguments is missing. */
  readonly isCut: boolean
}

/** The forms of an item from the richest to the barest, and the form a page starts with. */
export interface ItemForms {
  readonly forms: readonly ItemForm[]
  /** The index of the form with the first sentence of the description. */
  readonly start: number
  /** The index of the form with the complete description and no schema. */
  readonly complete: number
}

/** Returns every form an item can have on a page. */
export function itemForms(item: FoundItem): ItemForms {
  return item.kind === 'tool' ? toolForms(item) : skillForms(item)
}

function toolForms({ sentAs: name, tool, source, owner, callable }: FoundToolItem): ItemForms {
  const texts = sentencePrefixes(tool.description)
  const typed = compactSignature(sanitiseLine(name), tool.inputSchema)
  const named = namedSignature(sanitiseLine(name), tool.inputSchema)
  const ends = {
    ...(source === 'skill' && { skill: owner }),
    ...(callable !== 'now' && { callable }),
  }
  const [complete] = texts
  const few = texts.at(-1)?.text ?? ''
  const bare = { name, signature: named.text, ...ends }
  const isShorter = named.text.length < typed.text.length
  const { inputSchema } = tool
  const full = {
    name,
    signature: typed.text,
    description: complete?.text ?? '',
    inputSchema,
    ...ends,
  }
  const forms: ItemForm[] = [
    ...(isPlain(inputSchema) ? [{ entry: full, isCut: complete?.isCut ?? false }] : []),
    ...texts.map(({ text, isCut }) => ({
      entry: { name, signature: typed.text, description: text, ...ends },
      isCut: isCut || typed.isCut,
    })),
    ...(isShorter
      ? [{ entry: { name, signature: named.text, description: few, ...ends }, isCut: true }]
      : []),
    { entry: bare, isCut: true },
  ]
  const first = forms.length - texts.length - (isShorter ? 2 : 1)
  return { forms, start: first + firstSentenceAt(texts), complete: first }
}

function skillForms({ name: id, skill, loaded }: FoundSkillItem): ItemForms {
  const texts = sentencePrefixes(skill.description)
  const forms = [
    ...texts.map(({ text, isCut }) => ({ entry: { id, description: text, loaded }, isCut })),
    { entry: { id, loaded }, isCut: true },
  ]
  return { forms, start: firstSentenceAt(texts), complete: 0 }
}

/** Returns whether a schema can be shown unchanged: a reader would see everything in it. */
function isPlain(schema: JsonSchema): boolean {
  return findHidden(JSON.stringify(schema)).length === 0
}

/** Returns the index of the shortest text that ends with a sentence. */
function firstSentenceAt(texts: readonly ShorterText[]): number {
  return Math.max(
    0,
    texts.findLastIndex(({ text }) => !text.endsWith('…')),
  )
}

/** Characters of a text that are used: a page has room for far fewer. */
const MAX_TEXT_LENGTH = 4_000

/** Words of the shortest form, for a text whose first sentence is longer. */
const SHORTEST_WORDS = 14

/** A text in a shorter form; `isCut` when a part of it is missing. */
interface ShorterText {
  readonly text: string
  readonly isCut: boolean
}

/**
 * Returns a text in one line, first complete, then ever shorter: half of it, its first sentence, and a few
 * words with `…` if even that sentence is long. Each form is shorter than the one before.
 */
export function sentencePrefixes(given: string): readonly ShorterText[] {
  const complete = sanitiseLine(given.slice(0, MAX_TEXT_LENGTH).toWellFormed())
  const isCut = given.length > MAX_TEXT_LENGTH
  const ends = sentenceEnds(complete)
  const half = ends.findLast((end) => end <= complete.length / 2)
  const first = ends[0] ?? complete.length
  const words = fewWords(complete.slice(0, first))
  const forms: ShorterText[] = [{ text: isCut ? `${complete}…` : complete, isCut }]
  for (const text of [
    half === undefined ? '' : complete.slice(0, half),
    complete.slice(0, first),
    words,
  ]) {
    const last = forms.at(-1)
    if (text !== '' && last !== undefined && text.length < last.text.length) {
      forms.push({ text, isCut: true })
    }
  }
  return forms
}

/** Returns the ends of sentences: `.`, `!` or `?` and a space, unless a small letter follows. */
function sentenceEnds(line: string): readonly number[] {
  const ends: number[] = []
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    const isWide = '。！？'.includes(character)
    const isEnd = '.!?'.includes(character) && line.charAt(at + 1) === ' '
    if (isWide || (isEnd && !isSmallLetter(line.charAt(at + 2)))) ends.push(at + 1)
  }
  return [...ends, line.length]
}

function isSmallLetter(character: string): boolean {
  return character !== character.toUpperCase()
}

/** Returns the first words. A script without spaces is cut by characters. */
function fewWords(sentence: string): string {
  const words = sentence.split(' ')
  const text = words
    .slice(0, SHORTEST_WORDS)
    .join(' ')
    .slice(0, SHORTEST_WORDS * 8)
  return text.length < sentence.length ? `${text.toWellFormed()}…` : sentence
}
