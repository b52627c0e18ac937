import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import { identityMemo } from '../document/identity-memo.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { SECTION_TITLE } from '../document/section-title.ts'
import { skillSection } from './skill-section.ts'

const kept = identityMemo<PromptSection | null>()

/**
 * The skills an agent starts with, in full. Made from the definitions alone: when one is put
 * away, the section of active skills says so, and the prefix stays as it was.
 */
export function initialSkillsSection(
  catalog: Catalog,
  agent: Agent,
  scopes: readonly VariableScope[],
): PromptSection | null {
  return kept([catalog, agent, ...scopes], '', () => {
    const id = 'initial-skills'
    const skills = agent.initialSkills.flatMap((name) => catalog.skills.get(name) ?? [])
    if (skills.length === 0) return null
    return newSection({
      kind: 'initial-skills',
      id,
      title: SECTION_TITLE.initialSkills,
      source: 'loadout',
      owner: 'loadout',
      stability: 'session',
      blocks: [{ kind: 'prose', text: 'These skills are loaded from the start.' }],
      children: skills.map((skill) => skillSection(skill, scopes, id, 'session')),
    })
  })
}
