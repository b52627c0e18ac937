import type { EngineContext } from '../../../engine/model/engine-context.ts'
import type { ToolSource } from '../../../engine/model/source-event.ts'
import type { RemovalPrice, StepCost } from '../../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { removalPriceOf } from '../../../engine/standing/ended-lifetimes.ts'
import { toolTable } from '../../../engine/standing/tool-table.ts'
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
import type { PromptFormat } from '../forms/write-prompt.ts'
import {
  definitionTokens,
  isDefinitionBound,
  isSectionBound,
  itemTokens,
  sectionTokens,
  sentToolTokens,
} from './section-tokens.ts'

interface SectionPrice {
  readonly id: string
  readonly title: string
  readonly source: PromptSource
  readonly owner: string
  readonly stability: Stability
  readonly placement: Placement
  readonly tokens: number
}

interface ToolPrice {
  readonly name: string
  readonly source: PromptSource
  readonly owner: string
  /** Tokens of its line in the prompt. */
  readonly listed: number
  /** Tokens of its definition in the request: the canonical JSON of the fields that are sent. */
  readonly definition: number
}

/** The cost of a prompt, in tokens of one tokenizer. */
export interface PromptLedger {
  readonly tokenizer: string
  /** The sum of the sections. */
  readonly tokens: number
  readonly sections: readonly SectionPrice[]
  /** The same sum by the source of the text. */
  readonly sources: Readonly<Record<PromptSource, number>>
  /** Instructions, file lists and listed tools of each skill in the prompt. */
  readonly skills: readonly { readonly skill: string; readonly tokens: number }[]
  readonly tools: readonly ToolPrice[]
  readonly notes: readonly PromptNote[]
}

/** Counts a document. Counts are cached by section, so a second call is cheap. */
export function promptLedger(
  document: PromptDocument,
  counter: TokenCounter,
  format: PromptFormat = 'markdown',
): PromptLedger {
  const sections = document.sections.map((section): SectionPrice => {
    const { id, title, source, owner, stability, placement } = section
    const tokens = sectionTokens(section, counter, format)
    return { id, title, source, owner, stability, placement, tokens }
  })
  const sources = { loadout: 0, agent: 0, skill: 0, component: 0, server: 0, global: 0 }
  const skills = new Map<string, number>()
  const attribute = (source: PromptSource, owner: string, tokens: number) => {
    sources[source] += tokens
    if (source === 'skill') skills.set(owner, (skills.get(owner) ?? 0) + tokens)
  }
  for (const section of document.sections) {
    const parts = partsOfOthers(section, counter)
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
      listItems(section).flatMap((item) => toolPrice(item, counter)),
    ),
    notes: [
      ...document.notes,
      ...document.sections.flatMap((section) => boundNotes(section, counter, format)),
    ],
  }
}

/** Notes the counts that are upper bounds: of a section, and of the definitions of the tools it lists. */
function boundNotes(
  section: PromptSection,
  counter: TokenCounter,
  format: PromptFormat,
): PromptNote[] {
  const tools = listItems(section).flatMap(({ name, tool }) =>
    tool !== undefined && isDefinitionBound(tool, counter) ? [`tool "${name}"`] : [],
  )
  const counted = isSectionBound(section, counter, format)
    ? [`section "${section.title}"`, ...tools]
    : tools
  return counted.map((subject) => ({
    code: 'tokens-upper-bound',
    section: section.id,
    message: `The tokens of ${subject} are an upper bound: its text has a very long run without a break.`,
  }))
}

/** The parts of a section with another owner: its children, and listed tools of other owners. */
function partsOfOthers(section: PromptSection, counter: TokenCounter) {
  const children = section.children.map((child) => ({
    source: child.source,
    owner: child.owner,
    tokens: sectionTokens(child, counter, 'markdown', 3),
  }))
  const items = listItems(section).flatMap((item) => {
    const { origin } = item
    if (origin === undefined || origin.owner === section.owner) return []
    return { ...origin, tokens: itemTokens(item, counter) }
  })
  return [...children, ...items]
}

function listItems({ blocks }: PromptSection): PromptItem[] {
  return blocks.flatMap((block) => (block.kind === 'items' ? block.items : []))
}

function toolPrice(item: PromptItem, counter: TokenCounter): ToolPrice[] {
  const { name, origin, tool } = item
  if (origin === undefined || tool === undefined) return []
  const listed = itemTokens(item, counter)
  const definition = definitionTokens(tool, counter, name)
  return [{ name: tool.name, ...origin, listed, definition }]
}

/** A definition in the last request. */
export interface SentToolPrice {
  readonly name: string
  /** Null when it is no longer registered but the strategy left it in the request. */
  readonly source: ToolSource | null
  readonly owner: string | null
  readonly tokens: number
  /** The provider keeps it out of the prompt. */
  readonly deferred: boolean
  readonly available: boolean
}

/** The request of the last step, and the part of the previous request that it kept. */
export interface StepLedger {
  readonly step: number
  /** The exposure strategy of the request. */
  readonly strategy: string
  readonly cost: StepCost
  /** The share of the previous request that is the prefix of this one, 0 to 1; 1 for the first. */
  readonly share: number
  /** In the order they were sent. */
  readonly tools: readonly SentToolPrice[]
}

/** Prices the last step tool by tool; null before the first step, or if its log has no price. */
export function stepLedger(
  state: WorkspaceState,
  context: EngineContext,
  counter: TokenCounter,
): StepLedger | null {
  const { step, strategy, cost, exposed } = state
  if (strategy === null || cost === null || exposed === null) return null
  const { byName } = toolTable(state, context)
  const tools = exposed.map((one): SentToolPrice => {
    const { name, deferred } = one
    const row = byName.get(name)
    return {
      name,
      source: row?.owner.source ?? null,
      owner: row?.owner.owner ?? null,
      tokens: sentToolTokens(one, context, counter),
      deferred: deferred === true,
      available: row?.status === 'available',
    }
  })
  const share = cost.previous === 0 ? 1 : cost.kept / cost.previous
  return { step, strategy, cost, share, tools }
}

/** The tokens that deactivating one active skill would free and lose. */
export interface RemovalEstimate extends RemovalPrice {
  readonly skill: string
  /** Tokens of its text: the conversation keeps that until it is withdrawn, or the history is compacted. */
  readonly text: number
}

/** Estimates, for every active skill in the order of activation, the cost of deactivating it alone. */
export function removalEstimates(
  state: WorkspaceState,
  context: EngineContext,
  { skills }: Pick<PromptLedger, 'skills'>,
): readonly RemovalEstimate[] {
  const texts = new Map(skills.map(({ skill, tokens }) => [skill, tokens]))
  return state.open.flatMap((open) => {
    if (open.source !== 'skill') return []
    const price = removalPriceOf(open, state, context) ?? { tokensFreed: 0, prefixLost: 0 }
    return { skill: open.owner, text: texts.get(open.owner) ?? 0, ...price }
  })
}

/**
 * Prices the removal of tools from the request that the last step sent. Deferred tools are not part
 * of the prefix, and tools that were not sent cost nothing.
 *
 * @param tools names of the removed tools
 * @param tokensOfTool counts the tokens of a sent definition
 * @param behind tokens that the provider reads after the tools: they are lost as soon as one tool is
 *   removed
 */
export function removalPrice(
  tools: readonly string[],
  exposed: readonly ExposedTool[] | null,
  tokensOfTool: (tool: ExposedTool) => number,
  behind = 0,
): RemovalPrice {
  const leaving = new Set(tools)
  const sent = (exposed ?? []).filter(({ deferred }) => deferred !== true)
  const first = sent.findIndex(({ name }) => leaving.has(name))
  if (first < 0) return { tokensFreed: 0, prefixLost: 0 }
  const sum = (some: readonly ExposedTool[]) =>
    some.reduce((tokens, one) => tokens + tokensOfTool(one), 0)
  const after = sent.slice(first)
  return {
    tokensFreed: sum(after.filter(({ name }) => leaving.has(name))),
    prefixLost: sum(after.filter(({ name }) => !leaving.has(name))) + behind,
  }
}
