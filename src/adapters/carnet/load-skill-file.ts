import type { Tool } from 'ai'
import { z } from 'zod'
import type { MetaToolHost } from './meta-tool-host.ts'
import { mayLoad } from './within-reach.ts'

type FileRead =
  { success: true; content: string; path: string } | { success: false; error: string; path: string }

const INPUT = z.object({
  skillName: z.string().describe('The name of the skill that contains the file'),
  path: z.string().describe('The path of the file to load (from the files array)'),
})

/** `loadSkillFile`: the text of one file of a skill on the agent's own lists. */
export function loadSkillFileTool({
  project,
  agent,
}: MetaToolHost): Tool<{ skillName: string; path: string }, FileRead> {
  return {
    description: 'Load the content of a file from a previously loaded skill',
    inputSchema: INPUT,
    async execute({ skillName, path }) {
      const key = project.skillKey(skillName)
      if (key === undefined || !mayLoad(project, agent, key)) {
        return { success: false, error: 'Skill not found', path }
      }
      const file = project.manifest.skills[key]?.files?.find((one) => one.path === path)
      return file === undefined
        ? { success: false, error: 'File not found in skill', path }
        : { success: true, content: file.content, path }
    },
  }
}
