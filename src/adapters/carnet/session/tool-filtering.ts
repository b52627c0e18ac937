/** Which tools the last `getTools` let through. */
export interface ToolFilteringDiagnostics {
  /** Only tools that were provided. */
  exposedTools: string[]
  filteredOutTools: string[]
  /** The names given to `getTools`, and those of the registered toolsets. */
  providedTools: string[]
  reason: string
  /**
   * Why, for each tool that was provided or that a loaded skill would bring. It is not enumerable,
   * so that the object still equals what tests of the published package expect.
   */
  readonly reasons: Readonly<Record<string, string>>
}
