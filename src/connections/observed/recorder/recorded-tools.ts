import type { ContentHash, Entry, JsonValue, Tool } from '../../../entries/index.ts'
import { toolDefinition } from '../../../entries/manifest.ts'
import type { ShownTool } from '../observation.ts'
import { definedTool, exposedTool, toolOwner } from './defined-tool.ts'

type ExposedTools = Extract<Entry['event'], { readonly type: 'step.begun' }>['exposed']

/** The session that tools are registered in. */
interface Registry {
  write(event: Entry['event'], at: number): void
  readonly definitions: Map<ContentHash, JsonValue>
  /** Refuses lists that are too long in all. */
  count(shown: readonly unknown[]): void
}

/** The tools of an observed session: those that are registered, and those that its requests have. */
export class RecordedTools {
  readonly #registry: Registry
  readonly #tools: Map<string, { readonly tool: Tool; readonly shown: ShownTool }>
  /** The tools of requests; null when the transcript does not have them. */
  #shown: readonly ShownTool[] | null
  /** Those of the last request, while they are the same. */
  #exposed: ExposedTools | null

  constructor(registry: Registry, from?: RecordedTools) {
    this.#registry = registry
    this.#tools = new Map(from && from.#tools)
    this.#shown = from ? from.#shown : null
    this.#exposed = from ? from.#exposed : null
  }

  /** The transcript has the tools of requests. */
  get areKnown(): boolean {
    return this.#shown !== null
  }

  /** Takes the tools of requests from here on: registers those that are new or have another definition, and removes others. */
  replace(tools: readonly ShownTool[], at: number): void {
    this.#registry.count(tools)
    this.#shown = tools
    const names = new Set(tools.map(({ name }) => name))
    const left = [...this.#tools.keys()].filter((name) => !names.has(name))
    for (const name of left) this.#tools.delete(name)
    for (const [owner, own] of Map.groupBy(left, toolOwner)) {
      this.#registry.write({ type: 'source.closed', source: SOURCE, owner, names: own }, at)
    }
    this.#add(tools, at)
  }

  /** Returns the tool of a call, which requests may not have shown. */
  called(name: string, at: number): Tool | undefined {
    if (!this.#tools.has(name)) this.#add([{ name }], at)
    return this.#tools.get(name)?.tool
  }

  #add(tools: readonly ShownTool[], at: number): void {
    this.#exposed = null
    const fresh = tools.flatMap((shown) => {
      const known = this.#tools.get(shown.name)
      if (known?.shown === shown) return []
      const tool = definedTool(shown)
      this.#tools.set(shown.name, { tool, shown })
      this.#registry.definitions.set(tool.hash, toolDefinition(tool) as unknown as JsonValue)
      return known?.tool.hash === tool.hash ? [] : [tool]
    })
    for (const [owner, own] of Map.groupBy(fresh, ({ name }) => toolOwner(name))) {
      const claims = own.map(({ name, hash, version }) => {
        return { name, definedAs: name, hash, version, bound: true, onConflict: 'refuse' as const }
      })
      const terms = { lifetime: 'session', requested: true, definition: null } as const
      this.#registry.write({ type: 'source.opened', source: SOURCE, owner, claims, ...terms }, at)
    }
  }

  /** Returns the tools that the next request has. */
  exposed(): ExposedTools {
    if (this.#exposed !== null) return this.#exposed
    const shown = this.#shown ?? [...this.#tools.values()].map((one) => one.shown)
    this.#registry.count(shown)
    this.#exposed = shown.flatMap((one) => {
      const hash = this.#tools.get(one.name)?.tool.hash
      return hash === undefined ? [] : [exposedTool(one, hash)]
    })
    return this.#exposed
  }

  /** Returns the definitions that the next request has; null where one is not known. */
  defined(): { readonly tools: readonly Tool[]; readonly deferred: readonly Tool[] } | null {
    if (this.#shown === null) return null
    const known = this.#shown.flatMap((shown) => this.#tools.get(shown.name) ?? [])
    const isDeferred = ({ shown }: { readonly shown: ShownTool }) => shown.deferred === true
    const whole = known.filter((one) => !isDeferred(one))
    if (whole.some(({ shown }) => shown.inputSchema === undefined)) return null
    return {
      tools: whole.map(({ tool }) => tool),
      deferred: known.filter(isDeferred).map(({ tool }) => tool),
    }
  }
}

/** The source of tools that the agent has for all of its sessions. */
export const SOURCE = 'global'
