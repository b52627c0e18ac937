import type { ToolSet } from 'ai'

/** Returns the answer of a tool to a call of a model. */
export async function runTool(tools: ToolSet, name: string, input: object): Promise<unknown> {
  const execute = tools[name]?.execute
  if (execute === undefined) throw new Error(`There is no tool ${name} with execute.`)
  return execute(input, { toolCallId: `call-of-${name}`, messages: [], context: {} })
}
