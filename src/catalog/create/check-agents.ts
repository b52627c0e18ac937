import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { ToolResolver } from './resolve-tools.ts'
import { unknownReference } from './unknown-reference.ts'

/** Findings about skills and tool versions that agents name; those of tools go to the resolver. */
export function checkAgents(
  agents: ReadonlyMap<string, Agent>,
  skills: ReadonlyMap<string, Skill>,
  { checkReference }: Pick<ToolResolver, 'checkReference'>,
): readonly Diagnostic[] {
  const unknown = unknownReference('skill', skills)
  const diagnostics: Diagnostic[] = []
  for (const agent of agents.values()) {
    const from = { kind: 'agent', ...agent } as const
    const lists = {
      initialSkills: agent.initialSkills,
      skills: agent.skills === '*' ? [] : agent.skills,
    }
    for (const [field, names] of Object.entries(lists)) {
      for (const to of names) {
        if (!skills.has(to)) diagnostics.push(unknown({ from, field, to }))
      }
    }
    for (const reference of agent.versions) checkReference(from, 'versions', reference)
  }
  return diagnostics
}
