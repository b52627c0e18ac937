import type { Tool } from 'ai'
import type { CarnetToolName } from './carnet-tool-name.ts'
import { listAvailableSkillsTool } from './list-available-skills.ts'
import { listSkillToolsetsTool } from './list-skill-toolsets.ts'
import { loadSkillFileTool } from './load-skill-file.ts'
import { loadSkillTool } from './load-skill.ts'
import { loadToolTool } from './load-tool.ts'
import { loadToolsetTool } from './load-toolset.ts'
import type { MetaToolHost } from './meta-tool-host.ts'

/** Every meta-tool of an agent, as AI SDK tools that answer what Carnet's do. */
export function carnetTools(host: MetaToolHost): Record<CarnetToolName, Tool> {
  return {
    listAvailableSkills: listAvailableSkillsTool(host),
    loadSkill: loadSkillTool(host),
    loadSkillFile: loadSkillFileTool(host),
    listSkillToolsets: listSkillToolsetsTool(host),
    loadToolset: loadToolsetTool(host),
    loadTool: loadToolTool(host),
  } as Record<CarnetToolName, Tool>
}
