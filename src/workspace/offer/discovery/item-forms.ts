import { findHidden } from '../../../kernel/find-hidden.ts'
import type { JsonSchema } from '../../../kernel/json.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { compactSignature, namedSignature } from './compact-signature.ts'
import type { FoundItem, FoundSkillItem, FoundToolItem } from './found-item.ts'
import type { PageSkill, PageTool } from './search-page.ts'
import { sentencePrefixes, type ShorterText } from './sentence-prefixes.ts'

/** One way to put an item on a page. */
export interface ItemForm {
  readonly entry: PageTool | PageSkill
  /** Something of its description or its arguments is missing. */
  readonly isCut: boolean
}

/** The forms of an item from the richest to the barest, and which one a page begins with. */
export interface ItemForms {
  readonly forms: readonly ItemForm[]
  /** The one with the first sentence of the description. */
  readonly start: number
  /** The one with all of it and no schema. */
  readonly whole: number
}

/** Every form an item can take on a page. */
export function itemForms(item: FoundItem): ItemForms {
  return item.kind === 'tool' ? toolForms(item) : skillForms(item)
}

function toolForms({ name, tool, source, owner, callable }: FoundToolItem): ItemForms {
  const texts = sentencePrefixes(tool.description)
  const typed = compactSignature(sanitiseLine(name), tool.inputSchema)
  const named = namedSignature(sanitiseLine(name), tool.inputSchema)
  const ends = {
    ...(source === 'skill' && { skill: owner }),
    ...(callable !== 'now' && { callable }),
  }
  const [whole] = texts
  const few = texts.at(-1)?.text ?? ''
  const bare = { name, signature: named.text, ...ends }
  const isShorter = named.text.length < typed.text.length
  const { inputSchema } = tool
  const full = { name, signature: typed.text, description: whole?.text ?? '', inputSchema, ...ends }
  const forms: ItemForm[] = [
    ...(isPlain(inputSchema) ? [{ entry: full, isCut: whole?.isCut ?? false }] : []),
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
  return { forms, start: first + firstSentenceAt(texts), whole: first }
}

function skillForms({ name: id, skill, loaded }: FoundSkillItem): ItemForms {
  const texts = sentencePrefixes(skill.description)
  const forms = [
    ...texts.map(({ text, isCut }) => ({ entry: { id, description: text, loaded }, isCut })),
    { entry: { id, loaded }, isCut: true },
  ]
  return { forms, start: firstSentenceAt(texts), whole: 0 }
}

/** Whether a schema can be shown as it is: nothing in it would be hidden from a reader. */
function isPlain(schema: JsonSchema): boolean {
  return findHidden(JSON.stringify(schema)).length === 0
}

/** The shortest text that still ends where a sentence does. */
function firstSentenceAt(texts: readonly ShorterText[]): number {
  return Math.max(
    0,
    texts.findLastIndex(({ text }) => !text.endsWith('…')),
  )
}
