import type { Tool } from 'ai'

/** The host's tools by toolset. If a name is registered twice, the last tool is used. */
export class ToolRegistry {
  readonly #toolsets = new Map<string, DomainToolSet>()

  /** Adds tools to a toolset. */
  register(toolsetName: string, tools: DomainToolSet): void {
    this.#toolsets.set(toolsetName, { ...this.#toolsets.get(toolsetName), ...tools })
  }

  getTools(toolsetName: string): DomainToolSet | undefined {
    return this.#toolsets.get(toolsetName)
  }

  /**
   * Returns the tools of several toolsets as one record; if several have a name, the last toolset's
   * tool is used.
   */
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
