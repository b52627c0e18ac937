import type { Tool } from 'ai'

/** The host's tools by toolset. Of a name that is registered twice, the last is used. */
export class ToolRegistry {
  readonly #toolsets = new Map<string, DomainToolSet>()

  /** Add tools to those a toolset has. */
  register(toolsetName: string, tools: DomainToolSet): void {
    this.#toolsets.set(toolsetName, { ...this.#toolsets.get(toolsetName), ...tools })
  }

  getTools(toolsetName: string): DomainToolSet | undefined {
    return this.#toolsets.get(toolsetName)
  }

  /** The tools of some toolsets as one record; of a name in several, the last toolset's. */
  getToolsForToolsets(toolsetNames: Iterable<string>): DomainToolSet {
    const merged: DomainToolSet = {}
    for (const name of toolsetNames) Object.assign(merged, this.#toolsets.get(name))
    return merged
  }

  listToolsets(): string[] {
    return [...this.#toolsets.keys()]
  }
}

/** Tools of the host, by the names that the manifest's toolsets list. */
export type DomainToolSet = Record<string, Tool>
