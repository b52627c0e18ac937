import { ownServers } from './catalog.ts'
import type { ToolResolver } from './tool-resolver.ts'
import { unknownReference } from './unknown-reference.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
import { dependencyOrder } from '../../skills/activation/dependency-order.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'

/** Checks the links between skills: `requires`, `extends` and `conflicts`, and to servers. */
export function checkSkillLinks(
  skills: ReadonlyMap<string, Skill>,
  toolsets: ReadonlyMap<string, Toolset>,
  servers: ReadonlyMap<string, unknown>,
): readonly Diagnostic[] {
  const unknown = unknownReference('skill', skills)
  const unknownServer = unknownReference('server', servers)
  const diagnostics: Diagnostic[] = []
  for (const skill of skills.values()) {
    for (const field of ['requires', 'extends', 'conflicts'] as const) {
      for (const to of skill[field]) {
        if (skills.has(to)) continue
        // A skill that does not exist cannot conflict.
        const severity = field === 'conflicts' ? 'info' : 'warning'
        diagnostics.push(unknown({ from: { kind: 'skill', ...skill }, field, to }, severity))
      }
    }
    for (const to of ownServers(skill, toolsets)) {
      if (servers.has(to)) continue
      diagnostics.push(unknownServer({ from: { kind: 'skill', ...skill }, field: 'servers', to }))
    }
    diagnostics.push(...impossibleRequirements(skill, skills))
  }
  return [
    ...diagnostics,
    ...circles('requires', 'Neither can be activated', skills),
    ...circles('extends', 'Neither inherits all tools of the other', skills),
  ]
}

function circles(
  field: 'requires' | 'extends',
  consequence: string,
  skills: ReadonlyMap<string, Skill>,
): readonly Diagnostic[] {
  const linked = [...skills.values()].filter((skill) => skill[field].length > 0)
  const { circular } = dependencyOrder(
    linked.map(({ name }) => name),
    (name) => skills.get(name)?.[field],
  )
  return circular.map(({ from, to }) =>
    about(skills.get(from), {
      code: field === 'requires' ? 'requirement-cycle' : 'extends-cycle',
      severity: 'warning',
      message:
        from === to
          ? `The skill "${from}" ${field} itself.`
          : `The skill "${from}" ${field} "${to}", which in the end ${field} "${from}". ${consequence}.`,
      hint: `Remove "${to}" from the skills that "${from}" ${field}.`,
    }),
  )
}

function impossibleRequirements(
  skill: Skill,
  skills: ReadonlyMap<string, Skill>,
): readonly Diagnostic[] {
  return skill.requires.flatMap((name) => {
    const required = skills.get(name)
    if (required === undefined || required === skill) return []
    const reason =
      skill.conflicts.includes(name) || required.conflicts.includes(skill.name)
        ? 'conflicts with it'
        : required.exclusive &&
          'is exclusive and can only be active together with its own requirements'
    if (reason === false) return []
    return about(skill, {
      code: 'impossible-requirement',
      severity: 'warning',
      message: `The skill "${skill.name}" can never be activated: it requires "${name}", which ${reason}.`,
      hint: `Remove "${name}" from its requirements, or change "${name}".`,
    })
  })
}

function about(skill: Skill | undefined, diagnostic: Diagnostic): Diagnostic {
  return skill?.path === undefined ? diagnostic : { ...diagnostic, file: skill.path }
}

/** Checks the skills and tool versions that agents name. Findings about tools go to the resolver. */
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
        const isPattern = field === 'skills' && to.includes('*')
        if (isPattern && [...skills.keys()].some((name) => matchesPattern(to, name))) continue
        if (!skills.has(to)) diagnostics.push(unknown({ from, field, to }))
      }
    }
    for (const reference of agent.versions) checkReference(from, 'versions', reference)
  }
  return diagnostics
}
