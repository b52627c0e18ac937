import { type ContentHash, defineTool, type Entry, type Tool } from '../../../entries/index.ts'
import { tryOrUndefined } from '../../../entries/kit.ts'
import type { ShownTool } from '../observation.ts'

/** The description of a skill or tool of which the model, or its transcript, has the name alone. */
export const NOT_SHOWN = '(only the name is known)'

/** Returns the server that a tool is of, in the names of Claude Code and Codex, else the agent. */
export function toolOwner(name: string): string {
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? []
  return server ?? 'agent'
}

/** Returns the definition of a tool; of one whose schema is not known, or cannot be read here, its name and description. */
export function definedTool({ name, description, inputSchema }: ShownTool): Tool {
  const about = { name, description: description || NOT_SHOWN, execute: () => null }
  const plain = { type: 'object' }
  return (
    tryOrUndefined(() => defineTool({ ...about, inputSchema: (inputSchema ?? plain) as never })) ??
    defineTool({ ...about, inputSchema: plain })
  )
}

/** Returns a tool as a request shows it. */
export function exposedTool(
  { name, deferred, inputSchema }: ShownTool,
  hash: ContentHash,
): Extract<Entry['event'], { readonly type: 'step.begun' }>['exposed'][number] {
  const isFound = deferred === true && inputSchema !== undefined
  return {
    name,
    hash,
    ...(deferred && { deferred }),
    ...(isFound && { referenced: true as const }),
  }
}
