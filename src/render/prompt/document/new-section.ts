import type { PromptBlock, PromptNote, PromptSection } from './prompt-document.ts'

type Required = 'kind' | 'id' | 'title' | 'source' | 'owner' | 'stability'

/** What a builder says of a section; the rest follows or is empty. */
export type SectionDraft = Pick<PromptSection, Required> &
  Partial<Pick<PromptSection, 'children' | 'notes' | 'variables'>> & {
    readonly blocks: readonly (PromptBlock | undefined)[]
  }

/** A section from its draft: placed by its stability, with what its children noted. */
export function newSection(draft: SectionDraft): PromptSection {
  const { children = [], notes = [], variables = [] } = draft
  return {
    ...draft,
    placement: draft.stability === 'step' ? 'conversation' : 'instructions',
    blocks: draft.blocks.filter((block) => block !== undefined),
    children,
    notes: [...notes, ...children.flatMap((child) => child.notes)],
    variables: [...new Set([...variables, ...children.flatMap((child) => child.variables)])],
  }
}

/** One note for each variable that no scope has. */
export function unknownVariables(section: string, names: readonly string[]): PromptNote[] {
  return names.map((name) => ({
    code: 'variable-unknown',
    section,
    message: `No value is given for {{ ${name} }}; it stays in the text as written.`,
  }))
}
