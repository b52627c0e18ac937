import { openSkill } from '../../../engine/standing/skill-standing.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { assertNotFlapping } from './assert-not-flapping.ts'
import { isFlapping } from '../discovery/search-guard.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { asToolError, skillArgument, skillNamed } from './skill-argument.ts'

/** `unloadSkill`: put a skill away; its tools go with it. */
export function unloadSkillTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'unloadSkill',
    description: 'Put a loaded skill away, by its id: its tools are gone from the next step.',
    arguments: { skillName: skillArgument(host) },
    async run({ skillName = '' }, { call }) {
      // One that is gone from the catalog can still be put away.
      const isOpen = openSkill(host.state(), skillName) !== null
      const skill = isOpen ? skillName : skillNamed(skillName, host).name
      if (openSkill(host.state(), skill) !== null) await assertNotFlapping(skill, host, call)
      const outcome = await host.deactivate(skill, call)
      if (!outcome.ok) throw asToolError(outcome)
      const isLast = isFlapping(host.state(), skill, host.discovery.guard)
      return { skill, removedTools: outcome.difference.removed, ...(isLast && { note: LAST }) }
    },
  })
}

const LAST = 'It came and went often enough: it is not loaded again in this turn. Go on without it.'
