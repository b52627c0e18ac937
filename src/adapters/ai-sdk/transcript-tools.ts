import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import { modelOutput } from './model-output.ts'
import type { SdkTool } from './sdk-tool.ts'

/**
 * A record that has a tool for every name and lists none: with it, stored messages of any
 * conversation are converted to the bytes that were sent. Without a tool of its name the SDK
 * leaves a stored result out.
 */
export function transcriptTools(): ToolSet {
  const tool: SdkTool = dynamicTool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => Promise.reject(new Error('This tool only reads what was said before.')),
    toModelOutput: ({ output }) => modelOutput(output),
  })
  return new Proxy(Object.create(null) as ToolSet, {
    get: (_, name) => (typeof name === 'string' ? tool : undefined),
    has: (_, name) => typeof name === 'string',
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string'
        ? { value: tool, enumerable: true, configurable: true, writable: false }
        : undefined,
  })
}
