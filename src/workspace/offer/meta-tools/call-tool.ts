import { ToolError } from '../../../tools/response/tool-error.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'

/**
 * `call_tool`: call a tool that is not in the request. A call of it is taken for a call of the tool
 * it names before it is judged, so this handler gets only those that name `call_tool` itself.
 */
export function callToolTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'call_tool',
    description: 'Call a tool by a name that tool_search gave.',
    arguments: {
      name: { type: 'string' },
      arguments: { type: 'object', description: 'As its signature says.' },
    },
    optional: ['arguments'],
    accepted: { arguments: { type: 'object', additionalProperties: true } },
    run: () => {
      throw new ToolError(
        'VALIDATION',
        'call_tool cannot call itself. Give the name of another tool.',
        {
          details: { code: 'nested-call' },
        },
      )
    },
  })
}
