import { textHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { loadedSkill } from './loaded-skill.ts'
import type { MetaHost } from './meta-host.ts'
import { metaTool } from './meta-tool.ts'
import { shownData } from './shown-data.ts'
import { skillArgument } from './skill-argument.ts'

/** `loadSkillFile`: the text of one listed file of a loaded skill, as it was when it was listed. */
export function loadSkillFileTool(host: MetaHost): Tool {
  return metaTool(host, {
    name: 'loadSkillFile',
    description: 'Read one file of a loaded skill, by a path from the list loadSkill gave.',
    arguments: {
      skillName: skillArgument(host),
      path: { type: 'string', description: 'A path from the file list of the skill.' },
    },
    async run({ skillName = '', path = '' }, { signal }) {
      const skill = loadedSkill(skillName, host)
      const file = skill.files.find((one) => one.path === path)
      if (!file || !skill.readFile) throw notListed(skill, path)
      const text = await skill.readFile(path, signal).catch((error: unknown) => {
        throw unreadable(error)
      })
      if (textHash(text) !== file.hash) {
        throw new ToolError('CONFLICT', `"${path}" changed since the skill was read.`, {
          details: { code: 'file-changed', skill: skill.name, path },
        })
      }
      return shownData({ skill: skill.name, path, text })
    },
  })
}

function notListed({ name, files }: Skill, path: string): ToolError {
  const paths = files.map((file) => file.path)
  const listed =
    paths.length === 0 ? 'It has no files.' : `Its files: ${paths.slice(0, 50).join(', ')}.`
  return new ToolError('NOT_FOUND', `The skill "${name}" lists no file "${path}". ${listed}`, {
    details: { code: 'file-not-listed', skill: name, path },
  })
}

function unreadable(error: unknown): unknown {
  return WorkspaceError.is(error)
    ? new ToolError('PERMANENT', `${error.message} ${error.hint}`.trim(), {
        details: { code: error.code },
      })
    : error
}
