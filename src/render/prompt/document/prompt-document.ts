import type { Redactor } from '../../../kernel/redactor.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** How long a section stays the same: for every session, for one session, or for one step. */
export type Stability = 'static' | 'session' | 'step'

/**
 * Where a section goes: static and session ones into the instructions, step ones to the end of
 * the conversation, so that a change leaves the prefix a provider has cached as it is.
 */
export type Placement = 'instructions' | 'conversation'

/** Whose text a section is; `loadout` for our own words. */
export type PromptSource = 'loadout' | 'agent' | 'skill' | 'component' | 'global'

type SectionKind =
  | 'agent-prompt'
  | 'initial-skills'
  | 'skill-catalog'
  | 'loading'
  | 'discovery'
  | 'active-skills'
  /** One skill, inside the initial or the active ones. */
  | 'skill'
  | 'skill-tools'
  | 'panel'
  | 'available-tools'
  | 'working-memory'
  | 'found-tools'
  | 'background-results'
  /** Only when a history is summarised: else rules come with what a search found. */
  | 'rules'

/** A name and a value, each one line. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** One line of a list: a skill, a tool, a file. */
export interface PromptItem {
  /** What a model calls it by; comes first in every form. */
  readonly name: string
  readonly summary: string
  /** Short remarks, such as `asks first`. */
  readonly marks: readonly string[]
  readonly facts: readonly Fact[]
  /** Whose it is, where that is not the section's owner. */
  readonly origin?: { readonly source: PromptSource; readonly owner: string }
  /** The definition behind it, for the price. */
  readonly tool?: Tool
}

/** Data, never markup. All text is sanitised when a block is made, so any writer may draw it. */
export type PromptBlock =
  /** Our own words. */
  | { readonly kind: 'prose'; readonly text: string }
  /**
   * Markdown of somebody else. `plain` asks for no fence, which is granted when nothing in it
   * can be taken for a mark of ours.
   */
  | { readonly kind: 'body'; readonly text: string; readonly plain: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'items'; readonly items: readonly PromptItem[] }

/** Something a reader of the prompt would not notice: what was shortened, what is unknown. */
export interface PromptNote {
  readonly code:
    'catalog-shortened' | 'catalog-names-only' | 'catalog-not-listed' | 'variable-unknown'
  /** Id of the section it is about. */
  readonly section: string
  readonly message: string
}

export interface PromptSection {
  readonly kind: SectionKind
  /** Stable over steps: `skill-catalog`, `skill-tools/pdf`, `panel/notes`. */
  readonly id: string
  readonly title: string
  readonly source: PromptSource
  /** Agent, skill or component name; `loadout` for ours. */
  readonly owner: string
  readonly stability: Stability
  readonly placement: Placement
  readonly blocks: readonly PromptBlock[]
  readonly children: readonly PromptSection[]
  readonly notes: readonly PromptNote[]
  /** Names of the variables put into it; values are nowhere but in the text. */
  readonly variables: readonly string[]
}

/**
 * What the model reads, as data. Instructions come first, so the text of the whole is the text
 * of the instructions and then that of the conversation part.
 */
export interface PromptDocument {
  readonly sections: readonly PromptSection[]
  readonly notes: readonly PromptNote[]
  readonly variables: readonly string[]
}

type RedactedObjects = WeakMap<object, object>

/** What was made of documents and sections, so that what stays the same is the same object. */
const redactedObjects = new WeakMap<Redactor, RedactedObjects>()

/** A document without secrets. Ids, and the names that a model calls things by, stay. */
export function redactDocument(document: PromptDocument, redactor: Redactor): PromptDocument {
  return memoised(redactor, document, () => ({
    ...document,
    sections: document.sections.map((section) => redactSection(section, redactor)),
  }))
}

function redactSection(section: PromptSection, redactor: Redactor): PromptSection {
  return memoised(redactor, section, () => ({
    ...section,
    title: redactor.text(section.title),
    blocks: section.blocks.map((block) => redactBlock(block, redactor)),
    children: section.children.map((child) => redactSection(child, redactor)),
  }))
}

function redactBlock(block: PromptBlock, redactor: Redactor): PromptBlock {
  switch (block.kind) {
    case 'prose':
    case 'body':
      return { ...block, text: redactor.text(block.text) }
    case 'facts':
      return { ...block, facts: redactFacts(block.facts, redactor) }
    case 'items':
      return { ...block, items: block.items.map((item) => redactItem(item, redactor)) }
  }
}

function redactItem(item: PromptItem, redactor: Redactor): PromptItem {
  const summary = redactor.text(item.summary)
  return { ...item, summary, facts: redactFacts(item.facts, redactor) }
}

function redactFacts(facts: readonly Fact[], redactor: Redactor): readonly Fact[] {
  return facts.map(({ label, value }) => ({ label, value: redactor.text(value) }))
}

function memoised<T extends object>(redactor: Redactor, of: T, make: () => T): T {
  const known = redactedObjects.get(redactor) ?? new WeakMap<object, object>()
  redactedObjects.set(redactor, known)
  const made = (known.get(of) as T | undefined) ?? make()
  known.set(of, made)
  return made
}
