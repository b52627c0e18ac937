import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { CarnetSource } from './carnet-source.ts'
import { carnetToolId } from './carnet-tool-id.ts'

/** Findings for what definitions say and a Carnet manifest has no place for. */
export function lostInCarnet(
  { skills, agents }: CarnetSource,
  tools: readonly Tool[],
): readonly Diagnostic[] {
  return [
    ...skills.flatMap((skill) => lost('skill', skill, skillFields(skill))),
    ...agents.flatMap((agent) => lost('agent', agent, agentFields(agent))),
    ...tools.flatMap(({ name }) => renamed(name)),
  ]
}

function skillFields(skill: Skill): readonly string[] {
  const lists = ['requires', 'conflicts', 'extends', 'triggers', 'aliases', 'permissions'] as const
  return [
    ...lists.filter((field) => skill[field].length > 0),
    ...(skill.exclusive ? ['exclusive'] : []),
    ...(skill.lifetime === 'session' ? [] : ['lifetime']),
  ]
}

function agentFields({ tools, versions, mode, exclusive }: Agent): readonly string[] {
  return [
    ...(tools === undefined ? [] : ['tools']),
    ...(versions.length > 0 ? ['versions'] : []),
    ...(mode === 'text' ? [] : ['mode']),
    ...(exclusive ? ['exclusive'] : []),
  ]
}

function lost(
  kind: 'skill' | 'agent',
  { name, path }: { readonly name: string; readonly path?: string },
  fields: readonly string[],
): readonly Diagnostic[] {
  if (fields.length === 0) return []
  return [
    {
      code: 'carnet-lost',
      severity: 'warning',
      message: `Carnet has no place for what the ${kind} "${name}" says in ${fields.join(', ')}.`,
      hint: 'Keep the folder it came from: the export does not hold all of it.',
      ...(path !== undefined && { file: path }),
    },
  ]
}

function renamed(name: string): readonly Diagnostic[] {
  const id = carnetToolId(name)
  if (id === name) return []
  return [
    {
      code: 'carnet-renamed',
      severity: 'warning',
      message: `Carnet does not allow the tool name "${name}"; it is "${id}" there.`,
      hint: 'Register its code under that name.',
    },
  ]
}
