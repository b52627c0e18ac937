import type { Tool } from '../../../tools/definition/tool.ts'
import type { Toolset } from '../../../tools/toolset.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'
import { skillArgument, skillNamed } from './skill-argument.ts'

/** `listSkillToolsets`: the toolsets a skill brings, with the names of their tools. */
export function listSkillToolsetsTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'listSkillToolsets',
    description: 'List the toolsets of a skill, with what each is for and the tools in it.',
    arguments: { skillName: skillArgument(host) },
    run({ skillName = '' }) {
      const skill = skillNamed(skillName, host)
      const toolsets = skill.toolsets.flatMap((one): readonly Toolset[] => {
        const toolset = typeof one === 'string' ? host.catalog.toolsets.get(one) : one
        return toolset ? [toolset] : []
      })
      return shownData({
        skill: skill.name,
        toolsets: toolsets.map(({ name, description, tools }) => ({
          name,
          description,
          tools: tools.map((tool) => (typeof tool === 'string' ? tool : tool.name)),
        })),
      })
    },
  })
}
