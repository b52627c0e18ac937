import type { Tool } from 'ai'
import * as z from 'zod'
import type { CarnetToolName } from './session/carnet-options.ts'
import type { CarnetProject } from './session/carnet-project.ts'
import type { CarnetSession } from './session/carnet-session.ts'
import { sanitisedData } from '../../workspace/offer/meta-tools/meta-tool.ts'

/** The agent and conversation of a set of meta-tools. */
interface MetaToolHost {
  readonly project: CarnetProject
  readonly agent: string
  /**
   * Returns the current session when a tool is called: it may have been reset since the tool was
   * made.
   */
  session(): CarnetSession
}

/**
 * Makes the meta-tools of an agent as AI SDK tools. They give the same answers as Carnet's, except
 * that invisible characters are shown.
 */
export function carnetTools(host: MetaToolHost): Record<CarnetToolName, Tool> {
  return {
    listAvailableSkills: withShownAnswer(listAvailableSkillsTool(host)),
    loadSkill: withShownAnswer(loadSkillTool(host)),
    loadSkillFile: withShownAnswer(loadSkillFileTool(host)),
    listSkillToolsets: withShownAnswer(listSkillToolsetsTool(host)),
    loadToolset: withShownAnswer(loadToolsetTool(host)),
    loadTool: withShownAnswer(loadToolTool(host)),
  }
}

function withShownAnswer<Input>(tool: Tool<Input, unknown>): Tool {
  const { execute } = tool
  if (execute === undefined) return tool as Tool
  return {
    ...tool,
    execute: async (input: Input, options: Parameters<typeof execute>[1]) =>
      sanitisedData(await (execute(input, options) as unknown)),
  } as Tool
}

/** Shared by all conversations: making a schema takes longer than the rest of opening a session. */
const LOAD_SKILL_INPUT = z.object({
  skillName: z.string().describe('The name of the skill to load'),
})

/** `loadSkill`: loads a skill of the agent's own lists, and answers with its text. */
function loadSkillTool({
  project,
  agent,
  session,
}: MetaToolHost): Tool<{ skillName: string }, unknown> {
  const refusal = (error: string) => ({
    success: false,
    error,
    available: project.availableSkills(agent).map(({ name }) => name),
  })
  return {
    description: 'Load a skill by name to get its full content and capabilities',
    inputSchema: LOAD_SKILL_INPUT,
    async execute({ skillName }, options) {
      const key = project.skillKey(skillName)
      if (key === undefined) {
        session().warn({
          code: 'skill-unknown',
          subject: skillName.slice(0, 100),
          message: 'A model asked for a skill that is not in the manifest.',
          hint: 'Its answer listed the skills there are.',
        })
        return refusal(`Skill not found: ${skillName}`)
      }
      // A model's call has an id; other code may call without options.
      const { toolCallId: call } = (options as Partial<typeof options> | undefined) ?? {}
      const cause = call === undefined ? undefined : ({ by: 'model', call } as const)
      const outcome = session().load(key, cause)
      if (outcome?.ok === false) {
        return refusal(`Skill not found: ${skillName} (${outcome.message})`)
      }
      const {
        content,
        files: _,
        ...rest
      } = { ...project.manifest.skills[key], ...project.skillMetadata(key) }
      // Without their texts.
      const { files: all = [] } = project.skillMetadata(key)
      const files = all.map(({ path, description }) => ({ path, description }))
      return {
        success: true,
        content: project.injector.inject(content ?? ''),
        metadata: { ...rest, files },
        files,
      }
    },
  }
}

const LOAD_SKILL_FILE_INPUT = z.object({
  skillName: z.string().describe('The name of the skill that contains the file'),
  path: z.string().describe('The path of the file to load (from the files array)'),
})

/** `loadSkillFile`: returns one file of a skill of the agent's own lists. */
function loadSkillFileTool({
  project,
  agent,
}: MetaToolHost): Tool<{ skillName: string; path: string }, unknown> {
  return {
    description: 'Load the content of a file from a previously loaded skill',
    inputSchema: LOAD_SKILL_FILE_INPUT,
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

const LIST_AVAILABLE_SKILLS_INPUT = z.object({})

/** `listAvailableSkills`: lists the skills the agent may load. */
function listAvailableSkillsTool({
  project,
  agent,
}: MetaToolHost): Tool<Record<string, never>, unknown> {
  return {
    description: 'List all available skills for the agent',
    inputSchema: LIST_AVAILABLE_SKILLS_INPUT,
    async execute() {
      const skills = project
        .availableSkills(agent)
        .map(({ name, description, toolsets }) => ({ name, description, toolsets: [...toolsets] }))
      return { success: true, skills }
    },
  }
}

const LIST_SKILL_TOOLSETS_INPUT = z.object({
  skillName: z.string().describe('The name of the skill'),
})

/** `listSkillToolsets`: lists the toolsets of a skill of the agent's own lists. */
function listSkillToolsetsTool({
  project,
  agent,
}: MetaToolHost): Tool<{ skillName: string }, unknown> {
  return {
    description: 'List all toolsets available in a skill',
    inputSchema: LIST_SKILL_TOOLSETS_INPUT,
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

const LOAD_TOOLSET_INPUT = z.object({
  toolsetName: z.string().describe('The name of the toolset to load'),
})

/** `loadToolset`: explains how the tools of a toolset are used together. It exposes nothing. */
function loadToolsetTool({ project, agent }: MetaToolHost): Tool<{ toolsetName: string }, unknown> {
  return {
    description: 'Load a toolset to get its instructions and available tools',
    inputSchema: LOAD_TOOLSET_INPUT,
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

const LOAD_TOOL_INPUT = z.object({ toolName: z.string().describe('The name of the tool to load') })

/** `loadTool`: returns the documentation of one tool. It exposes nothing. */
function loadToolTool({ project, agent }: MetaToolHost): Tool<{ toolName: string }, unknown> {
  return {
    description: 'Load a specific tool to get its full documentation and usage',
    inputSchema: LOAD_TOOL_INPUT,
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

/** Returns true when a skill is on a list of the agent. */
function mayLoad(project: CarnetProject, agent: string, skill: string): boolean {
  const { app } = project.manifest
  const { initialSkills, skills } = project.agent(agent)
  return [app.globalInitialSkills, initialSkills, app.globalSkills, skills].some((list) =>
    list.includes(skill),
  )
}

/** Returns the toolsets of the skills an agent may load; it may not read about others. */
function reachableToolsets(project: CarnetProject, agent: string): ReadonlySet<string> {
  return new Set(project.availableSkills(agent).flatMap(({ toolsets }) => toolsets))
}
