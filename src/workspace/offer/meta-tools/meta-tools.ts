import { explainTool } from '../../../engine/explain/explain-tool.ts'
import { assess, calledName, sentName } from '../../../engine/standing/assess.ts'
import { listingAddress, listTools } from '../../../engine/standing/list-tools.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { rulesFor } from '../../../search/rules-for.ts'
import type { Toolset } from '../../../tools/define-toolset.ts'
import { parseToolReference } from '../../../tools/definition/parse-tool-reference.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { ToolError } from '../../../tools/response/error-type.ts'
import { runSearch } from '../discovery/run-search.ts'
import { pageSchema } from '../discovery/search-page.ts'
import {
  loadSkillFileMetaTool,
  loadSkillMetaTool,
  unloadSkillMetaTool,
} from './load-skill-meta-tool.ts'
import { listAvailableSkillsMetaTool } from './list-available-skills-meta-tool.ts'
import type { MetaToolName } from './meta-tool-name.ts'
import { type MetaToolParts, metaTool, sanitisedData, withVariables } from './meta-tool.ts'
import { readResultMetaTool } from './read-result-meta-tool.ts'
import { runSkillScriptMetaTool } from './run-skill-script-meta-tool.ts'
import { skillArgument, skillNamed } from './skill-argument.ts'

const MAKERS: Readonly<Record<MetaToolName, (parts: MetaToolParts) => Tool>> = {
  loadSkill: loadSkillMetaTool,
  loadSkillFile: loadSkillFileMetaTool,
  unloadSkill: unloadSkillMetaTool,
  listAvailableSkills: listAvailableSkillsMetaTool,
  listSkillToolsets: listSkillToolsetsMetaTool,
  loadToolset: loadToolsetMetaTool,
  loadTool: loadToolMetaTool,
  tool_search: toolSearchMetaTool,
  call_tool: callToolMetaTool,
  runSkillScript: runSkillScriptMetaTool,
  read_result: ({ desk }) => readResultMetaTool(desk),
}

/** Meta-tools that are useful without a skill to load. */
const TOOL_META_TOOLS: ReadonlySet<MetaToolName> = new Set([
  'tool_search',
  'call_tool',
  'loadTool',
  'read_result',
])

/**
 * Creates the meta-tools a host named, each once. When the agent may load no skill, only those about tools.
 * Throws `META_TOOL_UNKNOWN` for an unknown name.
 */
export function metaTools(parts: MetaToolParts, names: readonly MetaToolName[]): readonly Tool[] {
  const unknown = names.find((name) => !Object.hasOwn(MAKERS, name))
  if (unknown !== undefined) throw metaToolUnknown(unknown)
  const isUseful = (name: MetaToolName) => parts.loadable.length > 0 || TOOL_META_TOOLS.has(name)
  return [...new Set(names)].filter(isUseful).map((name) => MAKERS[name](parts))
}

function metaToolUnknown(name: string): WorkspaceError {
  return new WorkspaceError('META_TOOL_UNKNOWN', `There is no meta-tool "${name}".`, {
    facts: { name, known: Object.keys(MAKERS) },
    hint: `Meta-tools: ${Object.keys(MAKERS).join(', ')}.`,
  })
}

interface SearchInput {
  readonly query: string
  /** Null from a provider that requires models to give every argument. */
  readonly limit?: number | null
}

/** `tool_search`: the tools and skills for a task, and how to call them. */
function toolSearchMetaTool(parts: MetaToolParts): Tool {
  const { limit } = parts.discovery
  return metaTool<SearchInput>(parts, {
    name: 'tool_search',
    description:
      'Find the tools and skills for a task, with their rules. Search again for another need; answer directly when none is needed.',
    arguments: {
      query: { type: 'string', description: 'What to do, such as "create page".' },
      limit: { type: 'integer', default: limit },
    },
    optional: ['limit'],
    accepted: { query: { type: 'string' }, limit: { type: ['number', 'null'] } },
    outputSchema: pageSchema,
    variant: String(limit),
    execute: (input, context) => runSearch(parts, input, context),
  })
}

/**
 * `call_tool`: calls a tool that is not in the request. Before it is judged, a call of it becomes a call of
 * the tool it names, so this handler only gets calls that name `call_tool` itself.
 */
function callToolMetaTool(parts: MetaToolParts): Tool {
  return metaTool(parts, {
    name: 'call_tool',
    description: 'Call a tool by a name that tool_search gave.',
    arguments: {
      name: { type: 'string' },
      arguments: { type: 'object', description: 'As its signature says.' },
    },
    optional: ['arguments'],
    accepted: { arguments: { type: 'object', additionalProperties: true } },
    execute: () => {
      throw new ToolError(
        'VALIDATION',
        'call_tool cannot call itself. Give the name of another tool.',
        {
          details: { code: 'nested-call' },
        },
      )
    },
  })
}

/** `listSkillToolsets`: the toolsets of a skill, with the names of their tools. */
function listSkillToolsetsMetaTool(parts: MetaToolParts): Tool {
  return metaTool(parts, {
    name: 'listSkillToolsets',
    description: 'List the toolsets of a skill, with what each is for and the tools in it.',
    arguments: { skillName: skillArgument(parts) },
    execute({ skillName = '' }) {
      const skill = skillNamed(skillName, parts)
      const toolsets = skill.toolsets.flatMap((one): readonly Toolset[] => {
        const toolset = typeof one === 'string' ? parts.context.catalog.toolsets.get(one) : one
        return toolset ? [toolset] : []
      })
      return sanitisedData({
        skill: skill.name,
        toolsets: toolsets.map(({ name, description, tools }) => ({
          name,
          description,
          tools: tools.map((tool) =>
            sentName(typeof tool === 'string' ? tool : tool.name, parts.context.namesFor),
          ),
        })),
      })
    },
  })
}

/** `loadToolset`: the instructions of a toolset and the status of its tools. It activates nothing. */
function loadToolsetMetaTool(parts: MetaToolParts): Tool {
  return metaTool(parts, {
    name: 'loadToolset',
    description: 'Read the instructions of a toolset, and which of its tools can be called now.',
    arguments: { toolsetName: { type: 'string', description: 'The name of the toolset.' } },
    execute({ toolsetName = '' }) {
      const toolset = parts.context.catalog.toolsets.get(toolsetName)
      if (!toolset) {
        const nearest = nearestNames(toolsetName, parts.context.catalog.toolsets.keys())
        const hint = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`
        throw new ToolError('NOT_FOUND', `No toolset is named "${toolsetName}".${hint}`, {
          details: { code: 'toolset-unknown', nearest },
        })
      }
      return sanitisedData({
        toolset: toolset.name,
        description: toolset.description,
        instructions: withVariables(toolset.instructions, parts),
        tools: toolset.tools.map((one) => {
          const name = typeof one === 'string' ? parseToolReference(one).name : one.name
          return {
            name: sentName(name, parts.context.namesFor),
            status: assess(parts.store.getState().state, parts.context, name).status,
          }
        }),
      })
    },
  })
}

/**
 * `loadTool`: everything written about one tool, and its status. Rules and guidance are included even if
 * they were sent before.
 */
function loadToolMetaTool(parts: MetaToolParts): Tool {
  return metaTool(parts, {
    name: 'loadTool',
    description: 'Read the documentation and the argument schema of one tool.',
    arguments: { toolName: { type: 'string', description: 'The name of the tool.' } },
    execute({ toolName: given = '' }, { call: { caller } }) {
      const toolName = calledName(given, caller, parts.store.getState().state, parts.context)
      const listed = listTools(parts.store.getState().state, parts.context).find(
        ({ name, owner, tool }) => name === toolName || `${owner}/${tool?.name}` === toolName,
      )
      const address = listed ? listingAddress(listed) : toolName
      const { status, fix, nearest } = explainTool(
        parts.store.getState().state,
        parts.context,
        address,
      )
      if (!listed?.tool) {
        throw new ToolError('NOT_FOUND', `No tool is named "${toolName}". ${fix}`.trim(), {
          details: { code: 'unknown', nearest },
        })
      }
      const { description, documentation, inputSchema, category, version } = listed.tool
      const { catalog, namesFor } = parts.context
      const { text: rules } = rulesFor(catalog, [listed.tool], [], namesFor)
      return sanitisedData({
        tool: sentName(toolName, parts.context.namesFor),
        owner: listed.owner,
        status,
        ...(fix !== '' && { toUseIt: fix }),
        category,
        version,
        description,
        inputSchema,
        ...(documentation !== undefined && { documentation: withVariables(documentation, parts) }),
        ...(rules !== '' && { rules }),
      })
    },
  })
}
