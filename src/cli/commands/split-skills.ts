import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** Names of skills and paths that were typed in one row. */
export interface SkillsAndPaths {
  readonly skills: readonly string[]
  readonly paths: readonly string[]
}

/**
 * Tell names of skills from paths: what begins with a dot, has a separator or is there on disk
 * is a path. Where paths were given apart, everything is a name.
 */
export async function splitSkills(
  words: readonly string[],
  pathsApart: boolean,
  cwd: string,
): Promise<SkillsAndPaths> {
  const skills: string[] = []
  const paths: string[] = []
  for (const word of words) {
    const isPath =
      !pathsApart &&
      (word.startsWith('.') ||
        /[\\/]/.test(word) ||
        (await stat(resolve(cwd, word)).catch(() => null)) !== null)
    if (isPath) paths.push(word)
    else skills.push(word)
  }
  if (skills.length > 0) return { skills, paths }
  throw wrongUsage(
    `No skill is named: ${paths.map((path) => `"${path}"`).join(', ')} ${paths.length === 1 ? 'is a path' : 'are paths'}.`,
    'Give the paths with --path; then every argument is the name of a skill.',
  )
}
