import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import {
  substituteVariables,
  type Substitution,
  type VariableScope,
} from '../../../kernel/substitute-variables.ts'
import type { PromptBlock, PromptNote, PromptSection } from './prompt-document.ts'

type RequiredField = 'kind' | 'id' | 'title' | 'source' | 'owner' | 'stability'

/** The fields that a builder sets; the others are derived or empty. */
type SectionDraft = Pick<PromptSection, RequiredField> &
  Partial<Pick<PromptSection, 'children' | 'notes' | 'variables'>> & {
    readonly blocks: readonly (PromptBlock | undefined)[]
  }

/** Creates a section: placed by its stability, with the notes and variables of its children. */
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

/** Creates one note for each variable that no scope defines. */
export function unknownVariables(section: string, names: readonly string[]): PromptNote[] {
  return names.map((name) => ({
    code: 'variable-unknown',
    section,
    message: `No value is given for {{ ${name} }}; it stays in the text as written.`,
  }))
}

/** The fixed headings of the document. */
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

/** The beginnings of headings with a name; the name follows after a space. */
export const SECTION_PREFIX = {
  skillTools: 'SKILL TOOLS:',
  panel: 'PANEL:',
  server: 'SERVER:',
} as const

/** A body, with what was substituted in it, and what has no value. */
interface UntrustedBody extends Pick<Substitution, 'used' | 'unknown' | 'filled' | 'unfilled'> {
  /** Undefined when only blanks are left. */
  readonly block: PromptBlock | undefined
}

/**
 * Prepares Markdown from an agent, a skill or a component for the document: variables are
 * substituted, hidden characters made visible (also in values), surrounding empty lines removed.
 *
 * @param given the arguments of a skill, as for `substituteVariables`
 */
export function untrustedBody(
  source: string,
  scopes: readonly VariableScope[],
  plain = false,
  given?: string | null,
): UntrustedBody {
  const { text, ...rest } = substituteVariables(source, scopes, given)
  const body = withoutLeadingLines(sanitiseText(text).trimEnd())
  return { block: body === '' ? undefined : { kind: 'body', text: body, plain }, ...rest }
}

/** Removes blank lines at the start. The indentation of the first line stays: it may mean code. */
function withoutLeadingLines(text: string): string {
  const indent = text.length - text.trimStart().length
  return text.slice(text.lastIndexOf('\n', indent - 1) + 1)
}
