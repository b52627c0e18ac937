import type { Tool } from 'ai'
import { z } from 'zod'
import type { MetaToolHost } from './meta-tool-host.ts'

interface ListedSkills {
  success: true
  skills: { name: string; description: string; toolsets: string[] }[]
}

const INPUT = z.object({})

/** `listAvailableSkills`: what the agent may load. */
export function listAvailableSkillsTool({
  project,
  agent,
}: MetaToolHost): Tool<Record<string, never>, ListedSkills> {
  return {
    description: 'List all available skills for the agent',
    inputSchema: INPUT,
    async execute() {
      const skills = project
        .availableSkills(agent)
        .map(({ name, description, toolsets }) => ({ name, description, toolsets: [...toolsets] }))
      return { success: true, skills }
    },
  }
}
