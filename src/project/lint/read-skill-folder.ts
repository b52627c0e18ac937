import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { SkillFolder } from '../../catalog/lint/checks/lint-skill.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-text.ts'
import { walkFolders } from '../walk/walk-folders.ts'

/**
 * Read the texts and names in a skill's folder once more, by the rules of the readers. What cannot
 * be read is left out: they have said so.
 */
export async function readSkillFolder(
  file: string,
  skill: Skill | null,
  options: ResolvedOptions,
): Promise<SkillFolder> {
  const folder = dirname(file)
  const real = await realpath(folder).catch(() => folder)
  const read = (path: string) => readText(real, path, options, [])
  const walk = await walkFolders(real, options, () => true)
  const paths = new Set<string>()
  for (const { path, entries } of walk.folders) {
    for (const { name } of entries) paths.add(relative(real, join(path, name)).replaceAll(sep, '/'))
  }
  const texts = new Map<string, string>()
  for (const { path } of skill?.files ?? []) {
    if (!/\.(?:md|markdown|txt)$/i.test(path)) continue
    const text = await read(join(folder, path))
    if (text !== null) texts.set(path, text)
  }
  return { file, folder: basename(folder), text: await read(file), skill, paths, texts }
}
