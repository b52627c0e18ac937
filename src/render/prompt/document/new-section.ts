import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import { substituteVariables, type VariableScope } from '../../../kernel/substitute-variables.ts'
import type { PromptBlock, PromptNote, PromptSection } from './prompt-document.ts'

type RequiredField = 'kind' | 'id' | 'title' | 'source' | 'owner' | 'stability'

/** What a builder says of a section; the rest follows or is empty. */
type SectionDraft = Pick<PromptSection, RequiredField> &
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

/** The headings of the document that are always the same. */
export const SECTION_TITLE = {
  agentPrompt: 'Agent prompt',
  initialSkills: 'Initial skills',
  skillCatalog: 'Skill catalog',
  loading: 'Loading skills',
  discovery: 'Finding tools',
  activeSkills: 'Loaded skills',
  availableTools: 'Available tools',
  rules: 'Rules',
  workingMemory: 'Working memory',
  foundTools: 'Found tools',
  backgroundResults: 'Background results',
} as const

/** What headings with a name in them begin with; the name follows after a space. */
export const SECTION_PREFIX = { skillTools: 'SKILL TOOLS:', panel: 'PANEL:' } as const

/** A body with the variables it used and those it asked for in vain. */
interface UntrustedBody {
  /** Absent when nothing but blanks is left. */
  readonly block: PromptBlock | undefined
  readonly used: readonly string[]
  readonly unknown: readonly string[]
}

/**
 * Markdown from an agent, a skill or a component, ready for the document: variables put in, hidden
 * characters shown (in values too), empty lines around it taken away.
 */
export function untrustedBody(
  source: string,
  scopes: readonly VariableScope[],
  plain = false,
): UntrustedBody {
  const { text, used, unknown } = substituteVariables(source, scopes)
  const body = withoutLeadingLines(sanitiseText(text).trimEnd())
  return { block: body === '' ? undefined : { kind: 'body', text: body, plain }, used, unknown }
}

/** Blank first lines go; the indentation of the first real one stays, it may mean code. */
function withoutLeadingLines(text: string): string {
  const indent = text.length - text.trimStart().length
  return text.slice(text.lastIndexOf('\n', indent - 1) + 1)
}
