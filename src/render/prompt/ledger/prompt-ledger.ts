import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type {
  Placement,
  PromptDocument,
  PromptItem,
  PromptNote,
  PromptSection,
  PromptSource,
  Stability,
} from '../document/prompt-document.ts'
import { definitionTokens, itemTokens, sectionTokens } from './token-prices.ts'
import type { PromptFormat } from '../forms/write-prompt.ts'

export interface SectionPrice {
  readonly id: string
  readonly title: string
  readonly source: PromptSource
  readonly owner: string
  readonly stability: Stability
  readonly placement: Placement
  readonly tokens: number
}

export interface ToolPrice {
  readonly name: string
  readonly source: PromptSource
  readonly owner: string
  /** Its line in the prompt. */
  readonly listed: number
  /** Its definition, where the request carries it: canonical JSON of what the model is sent. */
  readonly definition: number
}

/** What a prompt costs, in tokens of one tokenizer. */
export interface PromptLedger {
  readonly tokenizer: string
  /** The sum of the sections. */
  readonly tokens: number
  readonly sections: readonly SectionPrice[]
  /** The sum of the sections again, by whose text it is. */
  readonly sources: Readonly<Record<PromptSource, number>>
  /** Instructions, files and listed tools of each skill in the prompt. */
  readonly skills: readonly { readonly skill: string; readonly tokens: number }[]
  readonly tools: readonly ToolPrice[]
  readonly notes: readonly PromptNote[]
}

/** Count a document. Counts are kept by section, so a second look costs nothing. */
export function promptLedger(
  document: PromptDocument,
  counter: TokenCounter,
  format: PromptFormat = 'markdown',
): PromptLedger {
  const sections = document.sections.map((section) => priceOf(section, counter, format))
  const sources = { loadout: 0, agent: 0, skill: 0, component: 0, global: 0 }
  const skills = new Map<string, number>()
  const attribute = (source: PromptSource, owner: string, tokens: number) => {
    sources[source] += tokens
    if (source === 'skill') skills.set(owner, (skills.get(owner) ?? 0) + tokens)
  }
  for (const section of document.sections) {
    const parts = partsOf(section, counter)
    const rest = parts.reduce(
      (left, { tokens }) => left - tokens,
      sectionTokens(section, counter, format),
    )
    attribute(section.source, section.owner, rest)
    for (const { source, owner, tokens } of parts) attribute(source, owner, tokens)
  }
  return {
    tokenizer: counter.name,
    tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0),
    sections,
    sources,
    skills: [...skills].map(([skill, tokens]) => ({ skill, tokens })),
    tools: document.sections.flatMap((section) =>
      itemsOf(section).flatMap((item) => toolPrice(item, counter)),
    ),
    notes: document.notes,
  }
}

function priceOf(
  section: PromptSection,
  counter: TokenCounter,
  format: PromptFormat,
): SectionPrice {
  const { id, title, source, owner, stability, placement } = section
  const tokens = sectionTokens(section, counter, format)
  return { id, title, source, owner, stability, placement, tokens }
}

interface Part {
  readonly source: PromptSource
  readonly owner: string
  readonly tokens: number
}

/** What in a section is somebody else's: its children, and listed tools of other owners. */
function partsOf(section: PromptSection, counter: TokenCounter): Part[] {
  const children = section.children.map((child) => ({
    source: child.source,
    owner: child.owner,
    tokens: sectionTokens(child, counter, 'markdown', 3),
  }))
  const items = itemsOf(section).flatMap((item) => {
    const { origin } = item
    if (origin === undefined || origin.owner === section.owner) return []
    return { ...origin, tokens: itemTokens(item, counter) }
  })
  return [...children, ...items]
}

function itemsOf({ blocks }: PromptSection): PromptItem[] {
  return blocks.flatMap((block) => (block.kind === 'items' ? block.items : []))
}

function toolPrice(item: PromptItem, counter: TokenCounter): ToolPrice[] {
  const { name, origin, tool } = item
  if (origin === undefined || tool === undefined) return []
  const listed = itemTokens(item, counter)
  return [{ name, ...origin, listed, definition: definitionTokens(tool, counter, name) }]
}
