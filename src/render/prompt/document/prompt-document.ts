import { identityMemo } from '../../../kernel/identity-memo.ts'
import type { Redactor } from '../../../kernel/redactor.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** The lifetime of a section: the same for every session, for one session, or for one step. */
export type Stability = 'static' | 'session' | 'step'

/**
 * The place of a section: static and session sections are instructions, step sections go to the end
 * of the conversation, so that a change never affects the prefix that a provider has cached.
 */
export type Placement = 'instructions' | 'conversation'

/** The origin of a text; `loadout` for our own. */
export type PromptSource = 'loadout' | 'agent' | 'skill' | 'component' | 'server' | 'global'

/** A label and a value, one line each. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** One line of a list: a skill, a tool, a file. */
export interface PromptItem {
  /** The name that a model uses; comes first in every format. */
  readonly name: string
  readonly summary: string
  /** Short remarks, such as `asks first`. */
  readonly marks: readonly string[]
  readonly facts: readonly Fact[]
  /** The source and owner of the item, when they may differ from those of the section. */
  readonly origin?: { readonly source: PromptSource; readonly owner: string }
  /** The definition of a tool, to count its tokens. */
  readonly tool?: Tool
}

/** Data, never markup. All text is sanitised when a block is made, so every writer may use it. */
export type PromptBlock =
  /** Text of our own. */
  | { readonly kind: 'prose'; readonly text: string }
  /** Foreign Markdown. `plain` asks for no fence, which is granted when `isPlainMarkdown` holds. */
  | { readonly kind: 'body'; readonly text: string; readonly plain: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'items'; readonly items: readonly PromptItem[] }

/** A remark on something the prompt does not show: shortened lists, unknown variables, inexact counts. */
export interface PromptNote {
  readonly code:
    | 'catalog-shortened'
    | 'catalog-shortened-in-part'
    | 'catalog-names-only'
    | 'catalog-not-listed'
    | 'variable-unknown'
    | 'arguments-missing'
    | 'arguments-filled'
    | 'tokens-upper-bound'
  /** Id of the section it is about. */
  readonly section: string
  readonly message: string
}

export interface PromptSection {
  readonly kind:
    | 'agent-prompt'
    | 'initial-skills'
    | 'skill-catalog'
    | 'offered-skills'
    | 'loading'
    | 'discovery'
    | 'active-skills'
    /** One skill, inside the initial or the active skills. */
    | 'skill'
    | 'skill-tools'
    | 'panel'
    | 'available-tools'
    | 'working-memory'
    | 'found-tools'
    | 'background-results'
    /** Only after an attempt at the turn was thrown away. */
    | 'earlier-attempts'
    /** Only after a history was summarised; otherwise rules come with search results. */
    | 'rules'
  /** The same in every step: `skill-catalog`, `skill-tools/pdf`, `panel/notes`. */
  readonly id: string
  readonly title: string
  readonly source: PromptSource
  /** The name of the agent, skill or component; `loadout` for our own. */
  readonly owner: string
  readonly stability: Stability
  readonly placement: Placement
  readonly blocks: readonly PromptBlock[]
  readonly children: readonly PromptSection[]
  readonly notes: readonly PromptNote[]
  /** Names of the variables substituted in it; their values are only in the text. */
  readonly variables: readonly string[]
}

/**
 * The prompt that the model reads, as data. Instructions come first, so the text of the document is
 * that of the instructions followed by that of the conversation part.
 */
export interface PromptDocument {
  readonly sections: readonly PromptSection[]
  readonly notes: readonly PromptNote[]
  readonly variables: readonly string[]
}

/** Unchanged documents and sections stay the same objects. */
const redactedDocuments = identityMemo<PromptDocument>()

const redactedSections = identityMemo<PromptSection>()

/** Removes secrets from a document. Ids and the names that a model uses stay. */
export function redactDocument(document: PromptDocument, redactor: Redactor): PromptDocument {
  return redactedDocuments([redactor, document], '', () => ({
    ...document,
    sections: document.sections.map((section) => redactSection(section, redactor)),
  }))
}

function redactSection(section: PromptSection, redactor: Redactor): PromptSection {
  return redactedSections([redactor, section], '', () => ({
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
      return {
        ...block,
        items: block.items.map((item) => ({
          ...item,
          summary: redactor.text(item.summary),
          marks: item.marks.map((mark) => redactor.text(mark)),
          facts: redactFacts(item.facts, redactor),
        })),
      }
  }
}

function redactFacts(facts: readonly Fact[], redactor: Redactor): readonly Fact[] {
  return facts.map(({ label, value }) => ({ label, value: redactor.text(value) }))
}
