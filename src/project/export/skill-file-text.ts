import type { Skill } from '../../skills/definition/skill.ts'
import { frontMatterFile } from './front-matter-file.ts'
import { ownSkillKeys } from './own-keys.ts'

interface SkillFileOptions {
  /** The topic of those of its own tools that name none. */
  readonly topic?: string
  /** Also write what is said of its files, which the open format has no field for. */
  readonly describesFiles?: boolean
}

/** The `SKILL.md` of a skill in the fields of the open format; our own keys stand in its metadata. */
export function skillFileText(
  skill: Skill,
  { topic, describesFiles = false }: SkillFileOptions = {},
): string {
  const { name, description, license, compatibility, permissions, workDirection } = skill
  const metadata = { ...skill.metadata, ...ownSkillKeys(skill, topic) }
  const files = describesFiles
    ? skill.files.flatMap(({ path, description: said }) =>
        said === undefined || said === path ? [] : [{ path, description: said }],
      )
    : []
  const fields = {
    name,
    description,
    license,
    compatibility,
    'allowed-tools': permissions.length === 0 ? undefined : permissions.join(' '),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    files: files.length === 0 ? undefined : files,
  }
  return frontMatterFile(fields, workDirection)
}
