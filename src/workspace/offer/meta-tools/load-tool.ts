import { explainTool } from '../../../engine/explain/explain-tool.ts'
import { listTools } from '../../../engine/standing/list-tools.ts'
import { listingAddress } from '../../../engine/standing/listing-address.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { rulesFor } from '../../../search/rules.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'

/**
 * `loadTool`: everything written about one tool, rules and guidance with it however often they were
 * told, and how it stands.
 */
export function loadToolTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'loadTool',
    description: 'Read the documentation and the argument schema of one tool.',
    arguments: { toolName: { type: 'string', description: 'The name of the tool.' } },
    run({ toolName = '' }) {
      const listed = listTools(host.state(), host.surroundings).find(
        ({ name, owner, tool }) => name === toolName || `${owner}/${tool?.name}` === toolName,
      )
      const address = listed ? listingAddress(listed) : toolName
      const { status, fix, nearest } = explainTool(host.state(), host.surroundings, address)
      if (!listed?.tool) {
        throw new ToolError('NOT_FOUND', `No tool is named "${toolName}". ${fix}`.trim(), {
          details: { code: 'unknown', nearest },
        })
      }
      const { description, documentation, inputSchema, category, version } = listed.tool
      const { text: rules } = rulesFor(host.catalog, [listed.tool], [])
      return shownData({
        tool: toolName,
        owner: listed.owner,
        status,
        ...(fix !== '' && { toUseIt: fix }),
        category,
        version,
        description,
        inputSchema,
        ...(documentation !== undefined && { documentation: host.substitute(documentation) }),
        ...(rules !== '' && { rules }),
      })
    },
  })
}
