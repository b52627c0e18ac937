import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { OpenSource } from '../../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { openSkill, skillHasChanged } from '../../../engine/standing/assess-skill.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import {
  newSection,
  SECTION_TITLE,
  unknownVariables,
  untrustedBody,
} from '../document/new-section.ts'
import type {
  Fact,
  PromptBlock,
  PromptItem,
  PromptSection,
  Stability,
} from '../document/prompt-document.ts'
import type { ReuseSection } from '../document/reuse-section.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { isScript, RELATIVE_PATHS } from '../../../skills/find-skill-file.ts'
import { describePresuppositions } from '../../../skills/presuppositions.ts'

const skillCache = identityMemo<PromptSection>()

/**
 * One active skill: its instructions and the list of its files, whose contents are read only on
 * request. `parent` is the id of the enclosing section. Where no scripts are run, a skill that has
 * some says so; so does one that names arguments which nobody gave, or that presupposes what is not here.
 */
export function skillSection(
  skill: Skill,
  scopes: readonly VariableScope[],
  parent: string,
  stability: Stability,
  runsScripts = true,
  { arguments: asked, lacks = [] }: Partial<Pick<OpenSource, 'arguments' | 'lacks'>> = {},
): PromptSection {
  const given = asked ?? null
  const key = JSON.stringify([stability, parent, runsScripts, given, lacks])
  return skillCache([skill, ...scopes], key, () => {
    const id = `${parent}/${skill.name}`
    const body = untrustedBody(skill.instructions, scopes, false, given, skill)
    const { block, used, unknown, filled, unfilled } = body
    return newSection({
      kind: 'skill',
      id,
      title: sanitiseLine(skill.name),
      source: 'skill',
      owner: skill.name,
      stability,
      blocks: [
        skillFacts(skill, filled.length === 0 ? given : null),
        unfilled.length === 0 ? undefined : { kind: 'prose', text: unfilledArguments(unfilled) },
        lacks.length === 0 ? undefined : { kind: 'prose', text: lackingMeans(lacks) },
        block ?? { kind: 'prose', text: 'This skill has no instructions of its own.' },
        ...fileBlocks(skill, runsScripts || lacks.includes('shell')),
      ],
      notes: [
        ...unknownVariables(id, unknown),
        ...(filled.length === 0
          ? []
          : [
              {
                code: 'arguments-filled' as const,
                section: id,
                message: `Arguments were filled in for ${filled.join(', ')}.`,
              },
            ]),
        ...unfilled.map((placeholder) => ({
          code: 'arguments-missing' as const,
          section: id,
          message: `No arguments were given for ${placeholder}; it stays in the text as written.`,
        })),
      ],
      variables: used,
    })
  })
}

/** Returns what a model reads about parts of a workspace that a skill presupposes, and that are not there. */
export function lackingMeans(lacks: readonly string[]): string {
  const shown = lacks
    .slice(0, MOST_LACKING)
    .map((one) => sanitiseLine(one))
    .join(', ')
  const rest = lacks.length > MOST_LACKING ? ' and more' : ''
  return `It presupposes what is not known to be here: ${shown}${rest}. If none of your tools gives it, do the rest, and say what you could not do.`
}

/** Missing parts that a model reads. */
const MOST_LACKING = 12

/** Returns what a model reads about placeholders of a skill that nobody gave arguments for. */
export function unfilledArguments(placeholders: readonly string[]): string {
  return `No arguments were given for ${placeholders.join(', ')} in its text: use what the user asked for.`
}

/** @param given arguments that the text has no placeholder for */
function skillFacts(skill: Skill, given: string | null): PromptBlock | undefined {
  const facts: Fact[] = []
  const add = (label: string, value: string | undefined) => {
    const line = sanitiseLine(value ?? '')
    if (line !== '') facts.push({ label, value: line })
  }
  add('Name', distinctDisplayName(skill.name, skill.displayName))
  add('Base directory', skill.baseDirectory)
  add('Capabilities', skill.capabilities.join('; '))
  add('Arguments', given ?? '')
  return facts.length === 0 ? undefined : { kind: 'facts', facts }
}

const NO_SCRIPTS = 'Its scripts cannot be run here, unless one of your tools runs commands. '

function fileBlocks(skill: Skill, runsScripts: boolean): PromptBlock[] {
  if (skill.files.length === 0) return []
  const items = skill.files.map((file) => ({
    name: sanitiseLine(file.path),
    summary: sanitiseLine(file.description ?? ''),
    marks: [`${file.size} bytes`],
    facts: [],
  }))
  const scripts = runsScripts || !skill.files.some(isScript) ? '' : NO_SCRIPTS
  const paths = skill.baseDirectory === undefined ? '' : `${RELATIVE_PATHS} `
  return [
    { kind: 'prose', text: `${scripts}${paths}Its files:` },
    { kind: 'items', items },
  ]
}

/** The display name of a skill, or `''` when it differs from the id only in case and separators. */
export function distinctDisplayName(name: string, displayName: string): string {
  const called = sanitiseLine(displayName)
  return letters(called) === letters(name) ? '' : called
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.\-]/gv, '')
}

/** The meta-tool that runs scripts of skills. */
const RUN_SCRIPT = 'runSkillScript'

const initialSkillsCache = identityMemo<PromptSection | null>()

/**
 * The skills an agent starts with, in full. Built from the definitions alone: when one is
 * deactivated, the section of active skills says so, and the cached prefix stays the same.
 */
export function initialSkillsSection(
  catalog: Catalog,
  agent: Agent,
  scopes: readonly VariableScope[],
  metaTools: readonly string[],
): PromptSection | null {
  return initialSkillsCache([catalog, agent, ...scopes], metaTools.join(' '), () => {
    const id = 'initial-skills'
    const skills = agent.initialSkills.flatMap((name) => catalog.skills.get(name) ?? [])
    if (skills.length === 0) return null
    return newSection({
      kind: 'initial-skills',
      title: SECTION_TITLE.initialSkills,
      stability: 'session',
      blocks: [{ kind: 'prose', text: 'These skills are loaded from the start.' }],
      children: skills.map((skill) => {
        const { lacks } = describePresuppositions(skill, catalog, metaTools)
        const runsScripts = metaTools.includes(RUN_SCRIPT)
        return skillSection(skill, scopes, id, 'session', runsScripts, { lacks })
      }),
    })
  })
}

/**
 * The active skills in addition to the initial ones, or with arguments, in full, and the skills that do not apply:
 * initial skills that were deactivated or never activated, and active skills that changed, broke or
 * left the catalog.
 */
export function activeSkillsSection(
  catalog: Catalog,
  agent: Agent | null,
  state: WorkspaceState,
  scopes: readonly VariableScope[],
  metaTools: readonly string[],
  reuse: ReuseSection,
): PromptSection | null {
  const id = 'active-skills'
  const initial = new Set(agent?.initialSkills)
  const runsScripts = metaTools.includes(RUN_SCRIPT)
  const off = deactivatedSkills(catalog, initial, state)
  const children: PromptSection[] = []
  for (const one of state.open) {
    if (one.source !== 'skill') continue
    const skill = catalog.skills.get(one.owner)
    const item = unusableSkill(one, catalog, state)
    if (item !== null) off.push(item)
    else if (skill && (!initial.has(one.owner) || one.arguments !== undefined)) {
      children.push(skillSection(skill, scopes, id, 'step', runsScripts, one))
    }
  }
  if (children.length === 0 && off.length === 0) return null
  return reuse(id, children, JSON.stringify(off), () =>
    newSection({
      kind: 'active-skills',
      title: SECTION_TITLE.activeSkills,
      stability: 'step',
      blocks: [
        off.length === 0 ? undefined : { kind: 'prose', text: 'These skills do not apply now:' },
        off.length === 0 ? undefined : { kind: 'items', items: off },
        children.length === 0
          ? undefined
          : { kind: 'prose', text: 'These skills are loaded. Work by their instructions.' },
      ],
      children,
    }),
  )
}

function deactivatedSkills(
  catalog: Catalog,
  initial: ReadonlySet<string>,
  state: WorkspaceState,
): PromptItem[] {
  if (state.opening === null || initial.size === 0) return []
  const left = new Set(state.closed.flatMap((one) => (one.source === 'skill' ? [one.owner] : [])))
  return [...initial]
    .filter((name) => catalog.skills.has(name) && openSkill(state, name) === null)
    .map((name) => skillItem(name, left.has(name) ? 'deactivated' : 'not loaded'))
}

/** Returns what a model reads of an active skill that does not apply; null for one that does. */
function unusableSkill(
  source: OpenSource,
  catalog: Catalog,
  { broken }: WorkspaceState,
): PromptItem | null {
  const { owner } = source
  if (!catalog.skills.has(owner)) return skillItem(owner, 'gone from the catalog')
  if (skillHasChanged(source, catalog)) return skillItem(owner, 'changed since it was loaded')
  const message = broken.findLast(({ skill }) => skill === owner)?.message
  return message === undefined ? null : skillItem(owner, 'broken', message)
}

function skillItem(name: string, mark: string, summary = ''): PromptItem {
  return { name: sanitiseLine(name), summary: sanitiseLine(summary), marks: [mark], facts: [] }
}
