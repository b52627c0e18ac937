import { skillStanding } from '../../../engine/standing/skill-standing.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'

/** `listAvailableSkills`: the skills the agent may load, ids first. */
export function listAvailableSkillsTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'listAvailableSkills',
    description: 'List the skills that can be loaded, with their ids and what they are for.',
    arguments: {},
    run: () =>
      shownData({
        skills: host.loadable.flatMap((name) => {
          const skill = host.catalog.skills.get(name)
          if (!skill) return []
          const { status } = skillStanding(host.state(), host.surroundings, name)
          return [
            { id: name, displayName: skill.displayName, description: skill.description, status },
          ]
        }),
      }),
  })
}
