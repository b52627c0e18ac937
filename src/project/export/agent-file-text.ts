import type { Agent } from '../../skills/definition/agent.ts'
import { frontMatterFile } from './front-matter-file.ts'
import { ownAgentKeys } from './own-keys.ts'

/** The `AGENT.md` of an agent. Its skills are always named: none given would mean every one. */
export function agentFileText(agent: Agent): string {
  const { name, description, initialSkills, skills, prompt } = agent
  const own = ownAgentKeys(agent)
  const fields = {
    name,
    description: description === '' ? undefined : description,
    initialSkills,
    skills: skills === '*' ? '*' : skills,
    metadata: Object.keys(own).length === 0 ? undefined : own,
  }
  return frontMatterFile(fields, prompt)
}
