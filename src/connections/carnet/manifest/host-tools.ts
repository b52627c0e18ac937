import type { Tool as AiTool } from 'ai'
import { type Tool, ToolError, toolsFromAiSdk } from '../../../entries/index.ts'

/** The tools that the host has given so far, as a session of Carnet passes them to handlers. */
export interface HostTools {
  hostTool(name: string): AiTool | undefined
}

const converted = new WeakMap<AiTool, Tool>()

/**
 * Returns the handler of a tool that a manifest only describes: it runs the host's tool of that
 * name and checks the arguments with that tool's own schema.
 *
 * The AI SDK calls the host's tool directly; this handler serves calls through the workspace.
 */
export function callHostTool(name: string): NonNullable<Tool['execute']> {
  return async (input, context) => {
    const given = (context.services as HostTools).hostTool(name)
    if (given === undefined) {
      throw new ToolError('UNBOUND', `The host gave no tool "${name}".`, {
        details: { code: 'not-provided', hint: 'Give it to getTools or registerDomainToolset.' },
      })
    }
    const tool = converted.get(given) ?? (toolsFromAiSdk({ called: given })[0] as Tool)
    converted.set(given, tool)
    const parsed = await tool.parseInput(input)
    if (!parsed.ok) {
      throw new ToolError('VALIDATION', `The arguments do not fit "${name}".`, {
        details: { issues: parsed.issues },
      })
    }
    if (tool.execute === undefined) {
      throw new ToolError('UNBOUND', `The tool "${name}" has no execute.`, {
        details: { code: 'not-executable', hint: 'Its provider, or the client, runs it.' },
      })
    }
    return tool.execute(parsed.value, context)
  }
}
