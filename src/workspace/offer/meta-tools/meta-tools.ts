import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { callToolTool } from './call-tool.ts'
import { listAvailableSkillsTool } from './list-available-skills.ts'
import { listSkillToolsetsTool } from './list-skill-toolsets.ts'
import { loadSkillFileTool } from './load-skill-file.ts'
import { loadSkillTool } from './load-skill.ts'
import { loadToolTool } from './load-tool.ts'
import { loadToolsetTool } from './load-toolset.ts'
import type { MetaHost } from './meta-host.ts'
import type { MetaToolName } from './meta-tool-name.ts'
import { runSkillScriptTool } from './run-skill-script-meta-tool.ts'
import { toolSearchTool } from './tool-search.ts'
import { unloadSkillTool } from './unload-skill.ts'

const MAKERS: Readonly<Record<MetaToolName, (host: MetaHost) => Tool>> = {
  loadSkill: loadSkillTool,
  loadSkillFile: loadSkillFileTool,
  unloadSkill: unloadSkillTool,
  listAvailableSkills: listAvailableSkillsTool,
  listSkillToolsets: listSkillToolsetsTool,
  loadToolset: loadToolsetTool,
  loadTool: loadToolTool,
  tool_search: toolSearchTool,
  call_tool: callToolTool,
  runSkillScript: runSkillScriptTool,
}

/** Those that are of use without a skill to load. */
const ABOUT_TOOLS: ReadonlySet<MetaToolName> = new Set(['tool_search', 'call_tool', 'loadTool'])

/**
 * The meta-tools a host asked for, each once; without a skill the agent may load only those about
 * tools. Throws `META_TOOL_UNKNOWN` for a name there is none of.
 */
export function metaTools(host: MetaHost, names: readonly MetaToolName[]): readonly Tool[] {
  const unknown = names.find((name) => !Object.hasOwn(MAKERS, name))
  if (unknown !== undefined) throw metaToolUnknown(unknown)
  const isOfUse = (name: MetaToolName) => host.loadable.length > 0 || ABOUT_TOOLS.has(name)
  return [...new Set(names)].filter(isOfUse).map((name) => MAKERS[name](host))
}

function metaToolUnknown(name: string): WorkspaceError {
  return new WorkspaceError('META_TOOL_UNKNOWN', `There is no meta-tool "${name}".`, {
    facts: { name, known: Object.keys(MAKERS) },
    hint: `Meta-tools: ${Object.keys(MAKERS).join(', ')}.`,
  })
}
