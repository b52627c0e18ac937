import type { ToolSet } from 'ai'
import type { VirtualWorkspace } from '../../entries/index.ts'
import { sanitiseText } from '../../entries/kit.ts'
import { findHidden } from '../../entries/definitions.ts'
import { carnetTools } from './carnet-tools.ts'
import {
  CARNET_TOOL_NAMES,
  type CarnetPromptOptions,
  type GenerateAgentPromptOptions,
  type GeneratedPrompt,
  type ToolOptions,
} from './session/carnet-options.ts'
import type { CarnetProject } from './session/carnet-project.ts'
import { CarnetSession } from './session/carnet-session.ts'
import type { CarnetWarning } from './session/carnet-warning.ts'
import {
  availableToolsSection,
  descriptionOf,
  loadedSkillsSection,
} from './session/prompt-generator.ts'
import type { ToolFilteringDiagnostics } from './session/select-tools.ts'
import type { DomainToolSet } from './session/tool-registry.ts'

/**
 * The conversations of one user with the agents of a project, and the skills loaded in them.
 *
 * Each agent has a session of its own, and so has each conversation. A session is opened by the
 * first prompt or the first `getTools`.
 */
export class CarnetConversation {
  readonly #project: CarnetProject
  readonly #id: string
  readonly #sessions = new Map<string, CarnetSession>()
  readonly #metaTools = new Map<string, ToolSet>()
  #opened = 0

  constructor(project: CarnetProject, id: string) {
    this.#project = project
    this.#id = id
  }

  /**
   * Returns the current system prompt of an agent. Throws `ValidationError` for an unknown agent.
   */
  getSystemPrompt(agentName: string, options: CarnetPromptOptions = {}): string {
    return this.generateAgentPrompt(agentName, options).content
  }

  /** Returns the same prompt together with its agent and skills. */
  generateAgentPrompt(
    agentName: string,
    options: GenerateAgentPromptOptions = {},
  ): GeneratedPrompt {
    const agent = this.#project.agent(agentName)
    const session = this.#sessionOf(agentName)
    const { manifest, generator } = this.#project
    const initial = this.#project.initialSkills(agentName)
    const available = this.#project.availableSkills(agentName)
    const { exposure } = session
    const loadable = this.#project.loadableSkills(agentName, exposure.skills)
    const prompt = generator.generateAgentPrompt(agent, [...initial], loadable, options)
    const { includeLoadedSkills = exposure.skills.length > initial.length } = options
    const { includeAvailableTools = true } = options
    const sections = [
      prompt.content,
      includeLoadedSkills ? loadedSkillsSection(exposure.skills, manifest) : '',
      includeAvailableTools ? this.#availableTools(session, options.tools) : '',
    ]
    const written = sections.filter((section) => section !== '').join('\n\n')
    // Line breaks of any kind stay, unless there is something to show.
    const content = findHidden(written).length === 0 ? written : sanitiseText(written)
    return { ...prompt, availableSkills: [...available], content }
  }

  /** Returns the tools of the next request: meta-tools, and the tools of loaded skills. */
  getTools(agentName: string, { tools, metaTools }: ToolOptions = {}): ToolSet {
    const session = this.#sessionOf(agentName)
    const only = Array.isArray(tools) ? new Set<string>(tools) : null
    const given = only === null && tools !== undefined ? (tools as DomainToolSet) : NO_TOOLS
    const offered = only ?? new Set<string>(metaTools ?? this.#project.metaTools)
    return session.select({ given, only, meta: this.#meta(agentName, offered) })
  }

  /** Returns the loaded skills, in the order they were loaded; empty before the session. */
  getDiscoveredSkills(agentName: string): string[] {
    return [...(this.#sessions.get(agentName)?.exposure.skills ?? [])]
  }

  /** Returns the names of the tools of loaded skills; empty before the session. */
  getAvailableTools(agentName: string): string[] {
    return [...(this.#sessions.get(agentName)?.exposure.tools ?? [])]
  }

  /** Ends the session of an agent in this conversation. */
  resetSession(agentName: string): void {
    this.#sessions.get(agentName)?.end()
    this.#sessions.delete(agentName)
  }

  /** Ends the sessions of all agents in this conversation. */
  reset(): void {
    for (const agent of this.#sessions.keys()) this.resetSession(agent)
  }

  getSessionState(agentName: string): CarnetSessionState | null {
    const exposure = this.#sessions.get(agentName)?.exposure
    if (exposure === undefined) return null
    return {
      agentName,
      discoveredSkills: new Set(exposure.skills),
      loadedToolsets: new Set(exposure.toolsets),
      exposedDomainTools: new Set(exposure.tools),
    }
  }

  /** Reports which tools the last `getTools` returned, and why; null before the session. */
  getToolFilteringDiagnostics(agentName: string): ToolFilteringDiagnostics | null {
    return this.#sessions.get(agentName)?.report() ?? null
  }

  /** Returns warnings about probable mistakes, from the session's log. */
  getWarnings(agentName: string): CarnetWarning[] {
    return this.#sessions.get(agentName)?.warnings() ?? []
  }

  /**
   * Returns the workspace of the session, with `explain`, the tool table, entries and the prices of
   * a prompt.
   */
  workspace(agentName: string): VirtualWorkspace {
    return this.#sessionOf(agentName).workspace
  }

  /** Loads a skill as the `loadSkill` tool does. A skill that cannot be loaded changes nothing. */
  _updateSessionOnSkillLoad(agentName: string, skillName: string): void {
    const session = this.#sessionOf(agentName)
    const skill = this.#project.skillKey(skillName)
    if (skill !== undefined) session.load(skill)
  }

  #sessionOf(agent: string): CarnetSession {
    const known = this.#sessions.get(agent)
    if (known !== undefined) return known
    this.#project.agent(agent)
    this.#opened += 1
    // Escaped, so that the agent "a/b" is not the agent "b" of the user "a".
    const parts = [this.#id, agent, `${this.#opened}`].map((name) =>
      name.replaceAll('%', '%25').replaceAll('/', '%2F'),
    )
    const made = new CarnetSession(this.#project, agent, parts.join('/'))
    this.#sessions.set(agent, made)
    return made
  }

  #meta(agent: string, offered: ReadonlySet<string>): ToolSet {
    const all =
      this.#metaTools.get(agent) ??
      carnetTools({ project: this.#project, agent, session: () => this.#sessionOf(agent) })
    this.#metaTools.set(agent, all)
    return Object.fromEntries(
      CARNET_TOOL_NAMES.flatMap((name) => {
        const tool = offered.has(name) ? all[name] : undefined
        return tool === undefined ? [] : [[name, tool]]
      }),
    )
  }

  /**
   * Lists the available tools. Before `getTools` has run, a tool that is only described may still
   * be provided.
   */
  #availableTools(session: CarnetSession, tools: DomainToolSet = {}): string {
    const { manifest } = this.#project
    const listed = [...session.exposure.tools].flatMap((name) => {
      const tool = Object.hasOwn(tools, name) ? tools[name] : session.hostTool(name)
      if (tool === undefined && session.hasSelected) return []
      return [{ name, description: descriptionOf(name, tool, manifest) }]
    })
    return availableToolsSection(listed)
  }
}

const NO_TOOLS: DomainToolSet = Object.freeze({})

/** A copy of the state of an agent's session. */
export interface CarnetSessionState {
  agentName: string
  /** Loaded skills, including the initial ones. */
  discoveredSkills: Set<string>
  /** Toolsets of the loaded skills. */
  loadedToolsets: Set<string>
  /** Tools of the loaded skills, provided by the host or not. */
  exposedDomainTools: Set<string>
}
