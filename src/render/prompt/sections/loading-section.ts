import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Policy } from '../../../engine/model/policy.ts'
import { refusedSkills } from '../../../engine/standing/refused-skills.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import { newSection, SECTION_TITLE } from '../document/new-section.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { loadableSkills, NO_AGENT } from './skill-catalog-section.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { isScript } from '../../../skills/find-skill-file.ts'

const loadingCache = identityMemo<PromptSection | null>()

/** Explains how to load, read and unload skills with the meta-tools that are offered. */
export function loadingSection(
  catalog: Catalog,
  agent: Agent | null,
  policy: Policy,
  metaTools: readonly string[],
): PromptSection | null {
  const refused = refusedSkills(policy, catalog)
  return loadingCache([catalog, agent ?? NO_AGENT, refused], metaTools.join(' '), () => {
    const loadable = loadableSkills(catalog, agent, refused)
    const sentences = loadingSentences(loadable, catalog, agent, new Set(metaTools))
    if (sentences.length === 0) return null
    return newSection({
      kind: 'loading',
      title: SECTION_TITLE.loading,
      stability: 'static',
      blocks: [{ kind: 'prose', text: sentences.join(' ') }],
    })
  })
}

function loadingSentences(
  loadable: readonly Skill[],
  catalog: Catalog,
  agent: Agent | null,
  offered: ReadonlySet<string>,
): string[] {
  const initial = (agent?.initialSkills ?? []).flatMap((name) => catalog.skills.get(name) ?? [])
  const sentences: string[] = []
  if (loadable.length > 0 && offered.has('loadSkill')) {
    sentences.push(
      'A skill brings instructions and tools that are not here until it is loaded.',
      'When a request fits a skill, call `loadSkill` with its id before you go on.',
      agent?.exclusive === true
        ? 'One skill is loaded at a time: loading another deactivates the first.'
        : 'Several may be loaded at once.',
    )
  }
  if (loadable.length + initial.length > 0 && offered.has('unloadSkill')) {
    sentences.push('Deactivate one you no longer need with `unloadSkill`; its tools go with it.')
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

/**
 * Explains how to search for tools, instead of listing them; null when no search is offered. The text
 * is the same in every session, so that providers keep it cached.
 */
export function discoverySection(metaTools: readonly string[]): PromptSection | null {
  if (!metaTools.includes('tool_search')) return null
  const key = metaTools.join(' ')
  const section = discoveryCache.get(key) ?? newDiscoverySection(new Set(metaTools))
  discoveryCache.set(key, section)
  return section
}

/** Sections by the meta-tools they mention: one for each set of meta-tools that hosts offer. */
const discoveryCache = new Map<string, PromptSection>()

function newDiscoverySection(offered: ReadonlySet<string>): PromptSection {
  const sentences = [
    '`tool_search` finds the tools that are not here: say in a few words what is to be done, such as "find image".',
    'It answers with what to call, how, and the rules to keep.',
    offered.has('call_tool')
      ? 'Call what it found by `call_tool`, later on without searching again.'
      : 'What it found can be called by its name, later on without searching again.',
    offered.has('loadTool') && '`loadTool` tells all about one of them.',
    'Search again when something else is needed. What needs no tool is answered at once.',
  ]
  return newSection({
    kind: 'discovery',
    title: SECTION_TITLE.discovery,
    stability: 'static',
    blocks: [{ kind: 'prose', text: sentences.filter((one) => one !== false).join(' ') }],
  })
}
