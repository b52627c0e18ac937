import type { Tool } from 'ai'
import { z } from 'zod'
import type { MetaToolHost } from './meta-tool-host.ts'
import { reachableToolsets } from './within-reach.ts'

type LoadedToolset =
  | { success: true; content: string; availableTools: { name: string; description: string }[] }
  | { success: false; error: string }

const INPUT = z.object({ toolsetName: z.string().describe('The name of the toolset to load') })

/** `loadToolset`: how the tools of a toolset are used together. It exposes nothing. */
export function loadToolsetTool({
  project,
  agent,
}: MetaToolHost): Tool<{ toolsetName: string }, LoadedToolset> {
  return {
    description: 'Load a toolset to get its instructions and available tools',
    inputSchema: INPUT,
    async execute({ toolsetName }) {
      const { toolsets, tools } = project.manifest
      const toolset = Object.hasOwn(toolsets, toolsetName) ? toolsets[toolsetName] : undefined
      if (toolset === undefined || !reachableToolsets(project, agent).has(toolsetName)) {
        return { success: false, error: 'Failed to load toolset: Toolset not found' }
      }
      const availableTools = toolset.tools.flatMap((name) => {
        const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
        return tool === undefined ? [] : [{ name: tool.name, description: tool.description }]
      })
      return { success: true, content: project.injector.inject(toolset.content), availableTools }
    },
  }
}
