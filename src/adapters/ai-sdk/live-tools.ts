import type { ToolSet } from 'ai'
import type { Tool } from '../../tools/definition/tool.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { sdkTool, unlistedTool, type CallGate, type SdkTool } from './sdk-tool.ts'

/** The tools of entry step, as keys of the record. */
export interface ShownTools {
  readonly activeTools: string[]
  /** Absent when the keys of the record already have that order. */
  readonly toolOrder?: string[]
}

/**
 * Maximum number of unknown tools that are kept for the transcript; a model may invent any number.
 */
const MAX_UNLISTED = 100

interface Made {
  readonly hash: string
  readonly deferred: boolean
  readonly tool: SdkTool
}

/**
 * The record of tools that the SDK gets, which follows the workspace.
 *
 * The SDK takes the record once per run and reads it again at each step, so keys may be added
 * during a run; `activeTools` says which of them a step sends. Keys stay when their tools leave,
 * because the SDK looks up in the record how to read an old result.
 */
export class LiveTools {
  /** Without a prototype, so that every name is an ordinary key. */
  readonly tools: ToolSet = Object.create(null) as ToolSet
  readonly #gate: CallGate
  readonly #own: ToolSet
  readonly #made = new Map<string, Made>()
  readonly #unlisted = new Set<string>()

  /** @param own tools of the SDK that a provider runs; they always come first */
  constructor(workspace: VirtualWorkspace, gate: CallGate, own: ToolSet) {
    this.#gate = gate
    this.#own = own
    Object.assign(this.tools, own)
    const { exposed, used } = workspace.state
    for (const tool of workspace.getAvailableTools()) this.#put(tool, false)
    for (const name of [
      ...(exposed ?? []).map((entry) => entry.name),
      ...used.map((entry) => entry.tool),
    ])
      this.tools[name] ??= unlistedTool(name, gate)
  }

  /** Updates the record to the tools of a step. */
  show(shown: readonly Tool[], deferred: ReadonlySet<string>): ShownTools {
    for (const tool of shown) this.#put(tool, deferred.has(tool.name))
    const names = shown.map(({ name }) => name)
    const shownNames = new Set(names)
    const activeTools = [
      ...Object.keys(this.#own).filter((name) => !shownNames.has(name)),
      ...names,
    ]
    if (this.#isOrdered(activeTools)) return { activeTools }
    for (const name of activeTools) {
      const tool = this.tools[name] as SdkTool
      delete this.tools[name]
      this.tools[name] = tool
    }
    // Integer keys always come first in an object.
    return this.#isOrdered(activeTools) ? { activeTools } : { activeTools, toolOrder: activeTools }
  }

  /** Returns a tool for a name that is not in the request. */
  unlisted(name: string): SdkTool {
    const known = this.tools[name]
    if (known !== undefined) return known
    const [oldest] = this.#unlisted
    if (this.#unlisted.size >= MAX_UNLISTED && oldest !== undefined) {
      this.#unlisted.delete(oldest)
      delete this.tools[oldest]
    }
    this.#unlisted.add(name)
    return (this.tools[name] = unlistedTool(name, this.#gate))
  }

  #put(tool: Tool, deferred: boolean): void {
    const { name, hash } = tool
    const known = this.#made.get(name)
    if (known?.hash === hash && known.deferred === deferred && this.tools[name] === known.tool) {
      return
    }
    const made = { hash, deferred, tool: sdkTool(tool, deferred, this.#gate) }
    this.#made.set(name, made)
    this.#unlisted.delete(name)
    this.tools[name] = made.tool
  }

  #isOrdered(names: readonly string[]): boolean {
    let next = 0
    for (const key of Object.keys(this.tools)) if (key === names[next]) next += 1
    return next === names.length
  }
}
