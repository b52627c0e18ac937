import type { Agent } from '../../skills/definition/agent.ts'

const listed = new WeakMap<Agent, ReadonlySet<string>>()

/** Whether an agent may load a skill: it is on one of its own lists. Without an agent, all are. */
export function isPermitted(agent: Agent | null, skill: string): boolean {
  if (agent === null || agent.skills === '*') return true
  const known = listed.get(agent) ?? new Set([...agent.skills, ...agent.initialSkills])
  listed.set(agent, known)
  return known.has(skill)
}
