import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { Catalog } from '../../../../entries/index.ts'
import { findSkill } from '../../../../entries/kit.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** A file that may have tests. */
export interface TestFile {
  readonly file: string
  /** `evals`: a JSON file next to a skill, which may have something else. */
  readonly kind: 'scenario' | 'evals'
  /** The folder of the skills among which evals are judged. */
  readonly root: string
}

const SCENARIO = '.scenario.yaml'

/** The folders in which skills bring evals. */
const EVALS = new Set(['evals', 'evaluations'])

const LEFT_OUT = new Set(['node_modules', '.git'])

/** Returns the tests at a path: the file itself, or those below a folder. Throws when nothing is there. */
export async function findTestFiles(path: string): Promise<readonly TestFile[]> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) {
    throw wrongUsage(`"${path}" does not exist.`, 'Give scenarios, or folders that have some.')
  }
  if (stats.isDirectory()) return filesBelow(path, path)
  const isEvals = path.endsWith('.json')
  const root = isEvals ? dirname(dirname(path)) : dirname(path)
  return [{ file: path, kind: isEvals ? 'evals' : 'scenario', root }]
}

async function filesBelow(folder: string, root: string): Promise<readonly TestFile[]> {
  const found: TestFile[] = []
  const hasEvals = EVALS.has(basename(folder))
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!LEFT_OUT.has(entry.name)) found.push(...(await filesBelow(file, root)))
    } else if (!entry.isFile()) continue
    else if (entry.name.endsWith(SCENARIO)) found.push({ file, kind: 'scenario', root })
    else if (hasEvals && entry.name.endsWith('.json')) found.push({ file, kind: 'evals', root })
  }
  return found
}

/**
 * Returns the skill that a file of evals is about: the one that it names, the one in whose folder it lies, or the only
 * one below the folder around it. Null without one.
 */
export function skillOfEvals(
  file: string,
  named: string | null,
  { skills }: Catalog,
): string | null {
  const found = named === null ? null : findSkill(named, skills)
  if (found?.ok === true) return found.name
  const around = dirname(dirname(file))
  const folders = [...skills.values()].flatMap(({ name, path }) =>
    path === null || path === undefined ? [] : [{ name, folder: dirname(path) }],
  )
  const own = folders
    .filter(({ folder }) => folder === around || around.startsWith(folder + sep))
    .sort((one, other) => other.folder.length - one.folder.length)
  const below = folders.filter(({ folder }) => folder.startsWith(around + sep))
  return own[0]?.name ?? (below.length === 1 ? (below[0]?.name ?? null) : null)
}
