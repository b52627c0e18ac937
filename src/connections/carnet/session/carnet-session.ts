import type { Tool as AiTool, ToolSet } from 'ai'
import { type Cause, defineTool, type Outcome } from '../../../entries/index.ts'
import { openSkill } from '../../../entries/kit.ts'
import { callHostTool, type HostTools } from '../manifest/host-tools.ts'
import { CarnetDriver } from './carnet-driver.ts'
import type { CarnetProject } from './carnet-project.ts'
import {
  type CarnetWarning,
  nameClashes,
  toolsetsWithoutTools,
  unknownToolsets,
} from './carnet-warning.ts'
import {
  type Exposure,
  exposureOf,
  filteringReport,
  selectTools,
  type ToolFilteringDiagnostics,
  type ToolOffer,
  type ToolSelection,
} from './select-tools.ts'
import type { DomainToolSet } from './tool-registry.ts'

const HOST: Cause = { by: 'host' }

const NO_TOOLS: DomainToolSet = Object.freeze({})

/**
 * The session of one agent in one conversation: a session of the workspace, and the host's tools
 * for it.
 *
 * The workspace alone decides which skills are loaded and which tools they bring.
 */
export class CarnetSession implements HostTools {
  readonly workspace: CarnetDriver
  readonly #project: CarnetProject
  readonly #warned = new Set<string>()
  #exposure: Exposure | undefined
  #registered: { readonly of: Exposure; readonly count: number; tools: DomainToolSet } | undefined
  #filtered: ToolSelection | undefined

  /** Opens the session; its initial skills are loaded when this returns. */
  constructor(project: CarnetProject, agent: string, session: string) {
    this.#project = project
    const { catalog, names, log, counter, options } = project
    this.workspace = new CarnetDriver({
      catalog,
      agent: names.agents.idOf(agent),
      session,
      log,
      tokenCounter: counter,
      metaTools: [],
      keepResults: false,
      services: { hostTool: (name) => this.hostTool(name) },
      ...(options.variables !== undefined && { variables: options.variables }),
    })
  }

  /**
   * The loaded skills, toolsets and tools, after registering extra tools of the host with the
   * workspace.
   */
  get exposure(): Exposure {
    this.#registerExtras()
    return this.#read()
  }

  /** Loads a skill by its key. Returns null when it is already loaded. */
  load(skill: string, cause: Cause = HOST): Outcome | null {
    const id = this.#project.names.skills.idOf(skill)
    if (openSkill(this.workspace.state, id) !== null) return null
    return this.workspace.carryOut({ type: 'skill.activate', skill: id }, cause)
  }

  /** Returns the meta-tools and the host's tools of the loaded skills. */
  select({ given, only, meta }: Omit<ToolOffer, 'registered'>): ToolSet {
    const { exposure } = this
    const offer = { given, only, meta, registered: this.#registeredTools(exposure) }
    const { exposure: before, offer: last } = this.#filtered ?? {}
    const isKnown =
      before === exposure && last?.given === given && last.registered === offer.registered
    this.#filtered = { exposure, offer }
    if (!isKnown) this.#warnOfClashes(exposure, offer)
    return selectTools(exposure, offer)
  }

  /** Reports the last `select`; before the first one, only the loaded skills. */
  report(): ToolFilteringDiagnostics {
    const { exposure } = this
    const registered = this.#registeredTools(exposure)
    const offer = { given: NO_TOOLS, only: null, meta: {}, registered }
    return filteringReport(this.#filtered ?? { exposure, offer }, this.#project, (tool) =>
      this.workspace.explain(tool),
    )
  }

  /** Returns the host's tool of a name: one given to `getTools`, else a registered one. */
  hostTool(name: string): AiTool | undefined {
    const given = this.#filtered?.offer.given ?? NO_TOOLS
    if (Object.hasOwn(given, name)) return given[name]
    const registered = this.#registeredTools(this.#read())
    return Object.hasOwn(registered, name) ? registered[name] : undefined
  }

  /** True once `getTools` has run. A tool that was not given by then does not exist. */
  get hasSelected(): boolean {
    return this.#filtered !== undefined
  }

  /** Records a warning, once. */
  warn({ code, subject, message, hint }: Omit<CarnetWarning, 'seq'>): void {
    const known = JSON.stringify([code, subject, message])
    if (this.#warned.has(known)) return
    this.#warned.add(known)
    this.workspace.carryOut({ type: 'warning.give', code, subject, message, hint }, HOST)
  }

  warnings(): CarnetWarning[] {
    const entries = this.#project.log.immediate.read(this.workspace.session)
    return entries.flatMap(({ seq, event }) => {
      if (event.type !== 'warning.given') return []
      const { code, subject, message, hint } = event
      return [{ seq, code, subject, message, hint }]
    })
  }

  /** Closes the session and deletes it from the log. */
  end(): void {
    void this.workspace.close()
    this.#project.log.immediate.delete(this.workspace.session)
  }

  #read(): Exposure {
    const { state } = this.workspace
    if (this.#exposure?.state.open !== state.open) {
      this.#exposure = exposureOf(state, this.workspace.getAvailableTools(), this.#project)
    }
    return this.#exposure as Exposure
  }

  #registeredTools(of: Exposure): DomainToolSet {
    const { registry, registrations: count } = this.#project
    if (this.#registered?.of !== of || this.#registered.count !== count) {
      this.#registered = { of, count, tools: registry.getToolsForToolsets(of.toolsets) }
    }
    return this.#registered.tools
  }

  /** Registers tools of a loaded toolset that the manifest does not list for it. */
  #registerExtras(): void {
    const { registry, manifest } = this.#project
    for (const toolset of this.#read().toolsets) {
      const tools = registry.getTools(toolset)
      if (tools === undefined) continue
      const listed = new Set(
        Object.hasOwn(manifest.toolsets, toolset) ? manifest.toolsets[toolset]?.tools : [],
      )
      const extras = Object.entries(tools).filter(([name]) => !listed.has(name))
      if (extras.length > 0) this.#claim(`toolset:${toolset}`, extras)
    }
  }

  #claim(owner: string, extras: readonly (readonly [string, AiTool])[]): void {
    const { names } = this.#project
    const open = this.workspace.state.open.find((one) => one.owner === owner)
    const known = new Set(open?.claims.map(({ definedAs }) => definedAs))
    const tools = extras
      .filter(([name]) => !known.has(names.tools.idOf(name)))
      .map(([name, { description }]) =>
        defineTool({
          name: names.tools.idOf(name),
          description: (typeof description === 'string' && description.trim()) || `Calls ${name}.`,
          category: 'action',
          inputSchema: { type: 'object', additionalProperties: true },
          execute: callHostTool(name),
        }),
      )
    if (tools.length === 0) return
    const command = { type: 'source.register', source: 'global', owner, tools } as const
    this.workspace.carryOut({ ...command, onConflict: 'shadow' }, HOST)
  }

  #warnOfClashes(exposure: Exposure, { given, meta, registered }: ToolOffer): void {
    for (const warning of nameClashes(exposure, given, this.#project)) this.warn(warning)
    for (const warning of toolsetsWithoutTools(exposure, given, this.#project)) this.warn(warning)
    for (const warning of unknownToolsets(this.#project)) this.warn(warning)
    for (const name of Object.keys(meta)) {
      if (
        !exposure.tools.has(name) ||
        !(Object.hasOwn(given, name) || Object.hasOwn(registered, name))
      )
        continue
      const message = `A tool of the host is named "${name}", which is the name of a meta-tool; the meta-tool is used.`
      this.warn({ code: 'meta-tool-name', subject: name, message, hint: 'Rename the tool.' })
    }
  }
}
