import type { Tool } from 'ai'
import { shownData } from '../../workspace/offer/meta-tools/shown-data.ts'
import type { CarnetToolName } from './session/carnet-tool-name.ts'
import { listAvailableSkillsTool } from './list-available-skills.ts'
import { listSkillToolsetsTool } from './list-skill-toolsets.ts'
import { loadSkillFileTool } from './load-skill-file.ts'
import { loadSkillTool } from './load-skill.ts'
import { loadToolTool } from './load-tool.ts'
import { loadToolsetTool } from './load-toolset.ts'
import type { MetaToolHost } from './meta-tool-host.ts'

/**
 * Every meta-tool of an agent, as AI SDK tools that answer what Carnet's do, but that what a reader
 * would not see is shown.
 */
export function carnetTools(host: MetaToolHost): Record<CarnetToolName, Tool> {
  const tools = {
    listAvailableSkills: listAvailableSkillsTool(host),
    loadSkill: loadSkillTool(host),
    loadSkillFile: loadSkillFileTool(host),
    listSkillToolsets: listSkillToolsetsTool(host),
    loadToolset: loadToolsetTool(host),
    loadTool: loadToolTool(host),
  } as Record<CarnetToolName, Tool>
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, withShownAnswer(tool)]),
  ) as Record<CarnetToolName, Tool>
}

function withShownAnswer(tool: Tool): Tool {
  const { execute } = tool
  if (execute === undefined) return tool
  return {
    ...tool,
    execute: async (input: unknown, options: Parameters<typeof execute>[1]) =>
      shownData(await (execute(input, options) as unknown)),
  } as Tool
}
