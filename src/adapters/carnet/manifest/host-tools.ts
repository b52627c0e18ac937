import type { Tool as AiTool } from 'ai'
import { toolsFromAiSdk } from '../../../tools/tools-from-ai-sdk.ts'
import { ToolError } from '../../../tools/response/error-type.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** What a session of Carnet hands to handlers: the tools its host has given so far. */
export interface HostTools {
  hostTool(name: string): AiTool | undefined
}

const converted = new WeakMap<AiTool, Tool>()

/**
 * The handler of a tool that a manifest only describes: the one its host gave under that name, its
 * arguments held to its own schema. The AI SDK calls the host's tool itself; this is for whoever
 * calls through the workspace.
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
