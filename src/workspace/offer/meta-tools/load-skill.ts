import { openSkill } from '../../../engine/standing/skill-standing.ts'
import { toolTable } from '../../../engine/standing/tool-table.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { assertNotFlapping } from './assert-not-flapping.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'
import { assertWhole, asToolError, skillArgument, skillNamed } from './skill-argument.ts'

/** `loadSkill`: activate a skill, and answer with its instructions and the list of its files. */
export function loadSkillTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'loadSkill',
    description:
      'Load a skill by its id: returns its instructions and files, and makes its tools available from the next step.',
    arguments: { skillName: skillArgument(host) },
    async run({ skillName = '' }, { call }) {
      const skill = skillNamed(skillName, host)
      const active = openSkill(host.state(), skill.name) !== null
      if (active) assertWhole(skill, host)
      else {
        await assertNotFlapping(skill.name, host, call)
        const outcome = await host.activate(skill.name, call)
        if (!outcome.ok) throw asToolError(outcome)
      }
      const { rows } = toolTable(host.state(), host.surroundings)
      return shownData({
        skill: skill.name,
        displayName: skill.displayName,
        alreadyLoaded: active,
        instructions: host.substitute(skill.workDirection),
        tools: rows
          .filter(({ owner }) => owner.source === 'skill' && owner.owner === skill.name)
          .map(({ name, status, tool }) => ({ name, status, summary: tool?.summary ?? '' })),
        files: skill.files.map(({ path, description, size }) => ({
          path,
          ...(description !== undefined && { description }),
          size,
        })),
        ...(skill.baseDirectory !== undefined && { baseDirectory: skill.baseDirectory }),
      })
    },
  })
}
