import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import type { SkillFile } from '../../../skills/definition/skill.ts'
import { identityMemo } from '../document/identity-memo.ts'
import { loadableSkills } from './loadable-skills.ts'
import { newSection } from '../document/new-section.ts'
import { NO_AGENT } from './no-agent.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { SECTION_TITLE } from '../document/section-title.ts'

const kept = identityMemo<PromptSection | null>()

/** How to load, read and put away skills with the meta-tools that are offered. */
export function loadingSection(
  catalog: Catalog,
  agent: Agent | null,
  metaTools: readonly string[],
): PromptSection | null {
  return kept([catalog, agent ?? NO_AGENT], metaTools.join(' '), () => {
    const sentences = sentencesFor(catalog, agent, new Set(metaTools))
    if (sentences.length === 0) return null
    return newSection({
      kind: 'loading',
      id: 'loading',
      title: SECTION_TITLE.loading,
      source: 'loadout',
      owner: 'loadout',
      stability: 'static',
      blocks: [{ kind: 'prose', text: sentences.join(' ') }],
    })
  })
}

function sentencesFor(
  catalog: Catalog,
  agent: Agent | null,
  offered: ReadonlySet<string>,
): string[] {
  const loadable = loadableSkills(catalog, agent)
  const initial = (agent?.initialSkills ?? []).flatMap((name) => catalog.skills.get(name) ?? [])
  const sentences: string[] = []
  if (loadable.length > 0 && offered.has('loadSkill')) {
    sentences.push(
      'A skill brings instructions and tools that are not here until it is loaded.',
      'When a request fits a skill, call `loadSkill` with its id before you go on.',
      agent?.exclusive === true
        ? 'One skill is loaded at a time: loading another puts the first away.'
        : 'Several may be loaded at once.',
    )
  }
  if (loadable.length + initial.length > 0 && offered.has('unloadSkill')) {
    sentences.push('Put away one you no longer need with `unloadSkill`; its tools go with it.')
  }
  const files = [...loadable, ...initial].some((skill) => skill.files.length > 0)
  if (files && offered.has('loadSkillFile')) {
    sentences.push('Read a file that a loaded skill lists with `loadSkillFile`.')
  }
  const scripts = [...loadable, ...initial].some(({ files }) => files.some(isScript))
  if (scripts && offered.has('runSkillScript')) {
    sentences.push('Run a script that a loaded skill lists below `scripts/` with `runSkillScript`.')
  }
  return sentences
}

function isScript({ path }: SkillFile): boolean {
  return path.startsWith('scripts/')
}
