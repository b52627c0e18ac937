import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import {
  substituteVariables,
  type Substitution,
  type VariableScope,
} from '../../../kernel/substitute-variables.ts'
import type { PromptBlock, PromptNote, PromptSection } from './prompt-document.ts'

/**
 * Creates a section: placed by its stability, with the notes and variables of its children. Without an id, that is its
 * kind; without a source, it is our own.
 */
export function newSection(
  draft: Pick<PromptSection, 'kind' | 'title' | 'stability'> &
    Partial<Pick<PromptSection, 'id' | 'source' | 'owner' | 'children' | 'notes' | 'variables'>> & {
      readonly blocks: readonly (PromptBlock | undefined)[]
    },
): PromptSection {
  const { kind, children = [], notes = [], variables = [] } = draft
  return {
    id: kind,
    source: 'loadout',
    owner: 'loadout',
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
  offeredSkills: 'Skills for files in use',
  loading: 'Loading skills',
  discovery: 'Finding tools',
  activeSkills: 'Loaded skills',
  availableTools: 'Available tools',
  rules: 'Rules',
  workingMemory: 'Working memory',
  foundTools: 'Found tools',
  backgroundResults: 'Background results',
  earlierAttempts: 'Done in earlier attempts',
} as const

/** The beginnings of headings with a name; the name follows after a space. */
export const SECTION_PREFIX = {
  skillTools: 'SKILL TOOLS:',
  panel: 'PANEL:',
  server: 'SERVER:',
} as const

/**
 * Prepares Markdown from an agent, a skill or a component for the document: variables are
 * substituted, hidden characters made visible (also in values), surrounding empty lines removed. The indentation of
 * the first line stays: it may mean code. The block is undefined when only blanks are left.
 *
 * @param given the arguments of a skill, and the skill, as for `substituteVariables`
 */
export function untrustedBody(
  source: string,
  scopes: readonly VariableScope[],
  plain = false,
  given?: string | null,
  skill?: Parameters<typeof substituteVariables>[3],
): Omit<Substitution, 'text'> & { readonly block: PromptBlock | undefined } {
  const { text, ...rest } = substituteVariables(source, scopes, given, skill)
  const safe = sanitiseText(text).trimEnd()
  const indent = safe.length - safe.trimStart().length
  const body = safe.slice(safe.lastIndexOf('\n', indent - 1) + 1)
  return { block: body === '' ? undefined : { kind: 'body', text: body, plain }, ...rest }
}
