import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { foreignBody } from '../document/foreign-body.ts'
import { identityMemo } from '../document/identity-memo.ts'
import { newSection, unknownVariables } from '../document/new-section.ts'
import { otherName } from './other-name.ts'
import type { Fact, PromptBlock, PromptSection, Stability } from '../document/prompt-document.ts'

const kept = identityMemo<PromptSection>()

/**
 * One skill to work by: its instructions and the list of its files, whose text is read only when
 * asked for. `parent` is the id of the section it stands in.
 */
export function skillSection(
  skill: Skill,
  scopes: readonly VariableScope[],
  parent: string,
  stability: Stability,
): PromptSection {
  return kept([skill, ...scopes], `${stability} ${parent}`, () => {
    const id = `${parent}/${skill.name}`
    const { block, used, unknown } = foreignBody(skill.workDirection, scopes)
    return newSection({
      kind: 'skill',
      id,
      title: sanitiseLine(skill.name),
      source: 'skill',
      owner: skill.name,
      stability,
      blocks: [
        factsOf(skill),
        block ?? { kind: 'prose', text: 'This skill has no instructions of its own.' },
        ...filesOf(skill),
      ],
      notes: unknownVariables(id, unknown),
      variables: used,
    })
  })
}

function factsOf(skill: Skill): PromptBlock | undefined {
  const facts: Fact[] = []
  const tell = (label: string, value: string | undefined) => {
    const line = sanitiseLine(value ?? '')
    if (line !== '') facts.push({ label, value: line })
  }
  tell('Name', otherName(skill.name, skill.displayName))
  tell('Base directory', skill.baseDirectory)
  tell('Capabilities', skill.capabilities.join('; '))
  return facts.length === 0 ? undefined : { kind: 'facts', facts }
}

function filesOf(skill: Skill): PromptBlock[] {
  if (skill.files.length === 0) return []
  const items = skill.files.map((file) => ({
    name: sanitiseLine(file.path),
    summary: sanitiseLine(file.description ?? ''),
    marks: [`${file.size} bytes`],
    facts: [],
  }))
  return [
    { kind: 'prose', text: 'Its files:' },
    { kind: 'items', items },
  ]
}
