import type { ToolSource } from './tool-source.ts'

/**
 * A tool by who registers it and the name in its definition. What people agreed to is bound to these:
 * the name it goes by may be another tomorrow, and another owner's tool of that name is not meant.
 */
export interface OwnedTool {
  readonly source: ToolSource
  readonly owner: string
  readonly tool: string
}

/** Whether two are one tool, whatever definitions they have. */
export function isSameTool(one: OwnedTool, other: OwnedTool): boolean {
  return one.tool === other.tool && one.owner === other.owner && one.source === other.source
}
