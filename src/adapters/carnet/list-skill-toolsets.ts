import type { Tool } from 'ai'
import { z } from 'zod'
import type { MetaToolHost } from './meta-tool-host.ts'
import { mayLoad } from './within-reach.ts'

type ListedToolsets =
  | { success: true; toolsets: { name: string; description: string; toolCount: number }[] }
  | { success: false; error: string }

const INPUT = z.object({ skillName: z.string().describe('The name of the skill') })

/** `listSkillToolsets`: the toolsets of a skill on the agent's own lists. */
export function listSkillToolsetsTool({
  project,
  agent,
}: MetaToolHost): Tool<{ skillName: string }, ListedToolsets> {
  return {
    description: 'List all toolsets available in a skill',
    inputSchema: INPUT,
    async execute({ skillName }) {
      const key = project.skillKey(skillName)
      if (key === undefined || !mayLoad(project, agent, key)) {
        return { success: false, error: 'Failed to list toolsets: Skill not found' }
      }
      const { skills, toolsets } = project.manifest
      const listed = (skills[key]?.toolsets ?? []).flatMap((name) => {
        const toolset = Object.hasOwn(toolsets, name) ? toolsets[name] : undefined
        if (toolset === undefined) return []
        return [
          { name: toolset.name, description: toolset.description, toolCount: toolset.tools.length },
        ]
      })
      return { success: true, toolsets: listed }
    },
  }
}
