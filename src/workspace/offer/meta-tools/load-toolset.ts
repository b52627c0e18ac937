import { nearestNames } from '../../../kernel/nearest-names.ts'
import { assess } from '../../../engine/standing/assess.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import { parseToolReference } from '../../../tools/definition/tool-reference.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'

/** `loadToolset`: what a toolset is for and how its tools stand. It activates nothing. */
export function loadToolsetTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'loadToolset',
    description: 'Read the instructions of a toolset, and which of its tools can be called now.',
    arguments: { toolsetName: { type: 'string', description: 'The name of the toolset.' } },
    run({ toolsetName = '' }) {
      const toolset = host.catalog.toolsets.get(toolsetName)
      if (!toolset) {
        const nearest = nearestNames(toolsetName, host.catalog.toolsets.keys())
        const hint = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`
        throw new ToolError('NOT_FOUND', `No toolset is named "${toolsetName}".${hint}`, {
          details: { code: 'toolset-unknown', nearest },
        })
      }
      return shownData({
        toolset: toolset.name,
        description: toolset.description,
        instructions: host.substitute(toolset.instructions),
        tools: toolset.tools.map((one) => {
          const name = typeof one === 'string' ? parseToolReference(one).name : one.name
          return { name, status: assess(host.state(), host.surroundings, name).status }
        }),
      })
    },
  })
}
