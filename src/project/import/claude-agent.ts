import { frontMatterFile } from '../export/front-matter-file.ts'
import { FieldReader } from '../../skills/parse/field-reader.ts'
import { Findings } from '../../skills/parse/findings.ts'
import { parseFrontMatter } from '../../skills/parse/parse-front-matter.ts'
import { usableName } from '../../skills/definition/skill-name.ts'
import { type ConvertedFile, unread } from './claude-command.ts'

/**
 * A subagent of Claude Code (`agents/<name>.md`) as an `AGENT.md`. Its `tools` are those of Claude
 * Code, so they restrict nothing here, which is noted. Returns why not when it cannot be read.
 */
export function claudeAgent(text: string, name: string, file: string): ConvertedFile | string {
  const findings = new Findings(file)
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return findings.list[0]?.message ?? 'It could not be read.'
  const reader = new FieldReader(parsed.fields, findings)
  const tools = [...reader.permissions('tools'), ...reader.permissions('disallowedTools')]
  const skills = reader.words('skills').map((skill) => usableName(skill) ?? skill)
  const read = new Set(['name', 'description', 'tools', 'disallowedTools', 'skills'])
  const others = [...parsed.fields.keys()].filter((key) => !read.has(key))
  const fields = {
    name,
    description: reader.text('description'),
    initialSkills: skills.length === 0 ? undefined : skills,
  }
  const notes = [
    ...(tools.length === 0
      ? []
      : [
          `It was limited by tools of Claude Code (${tools.join(', ')}) and is not limited here: name its tools in metadata, as loadout.tools.`,
        ]),
    ...unread(others),
  ]
  return { text: frontMatterFile(fields, parsed.body.trim()), notes }
}
