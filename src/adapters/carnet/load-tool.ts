import type { Tool } from 'ai'
import { z } from 'zod'
import type { ToolMetadata } from './format/manifest.ts'
import type { MetaToolHost } from './meta-tool-host.ts'
import { reachableToolsets } from './within-reach.ts'

type LoadedTool =
  { success: true; metadata: ToolMetadata; content: string } | { success: false; error: string }

const INPUT = z.object({ toolName: z.string().describe('The name of the tool to load') })

/** `loadTool`: the documentation of one tool. It exposes nothing. */
export function loadToolTool({
  project,
  agent,
}: MetaToolHost): Tool<{ toolName: string }, LoadedTool> {
  return {
    description: 'Load a specific tool to get its full documentation and usage',
    inputSchema: INPUT,
    async execute({ toolName }) {
      const { toolsets, tools } = project.manifest
      const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
      const isWithinReach = [...reachableToolsets(project, agent)].some(
        (name) => Object.hasOwn(toolsets, name) && toolsets[name]?.tools.includes(toolName),
      )
      if (tool === undefined || !isWithinReach) {
        return { success: false, error: 'Failed to load tool: Tool not found' }
      }
      const { name, description, content } = tool
      return {
        success: true,
        metadata: { name, description },
        content: project.injector.inject(content),
      }
    },
  }
}
