import type { Agent } from '../skills/agent.ts'

/** Whether an agent may load a skill: it is on one of its own lists. Without an agent, all are. */
export function isPermitted(agent: Agent | null, skill: string): boolean {
  if (agent === null || agent.skills === '*') return true
  return agent.skills.includes(skill) || agent.initialSkills.includes(skill)
}
