import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isInside } from './is-inside.ts'

/** Folders of skills that are searched in a project, in its parents and in the home, by precedence. */
export const SKILL_FOLDERS = ['.agents/skills', '.claude/skills', '.loadout/skills']

/** Folders in which other clients look for skills, in a project or in the home. They are not searched. */
export const OTHER_CLIENT_FOLDERS =
  'codex opencode config/opencode pi pi/agent github copilot gemini cursor agent qwen windsurf cline roo kilocode goose factory'
    .split(' ')
    .map((client) => `.${client}/skills`)

const CLIENT_FOLDERS = [...SKILL_FOLDERS, ...OTHER_CLIENT_FOLDERS].flatMap((folder) => [
  folder.split('/'),
  // Also the name that OpenCode uses.
  folder.slice(0, -1).split('/'),
])

/** A folder and its parents, in one repository. */
interface Repository {
  /** Real paths, nearest first; the folder alone outside of a repository. */
  readonly folders: readonly string[]
  /** The last of the folders; null outside of a repository. */
  readonly root: string | null
}

/**
 * Finds the repository of a folder: the nearest parent with a `.git`. Parents of another owner end the search: somebody
 * else could have made one there. So does the home, in which every file of a person would belong to one repository.
 */
export async function findRepository(folder: string, home: string | null): Promise<Repository> {
  const start = await realpath(folder).catch(() => resolve(folder))
  const realHome = home === null ? null : await realpath(home).catch(() => home)
  const uid = async (path: string) => (await stat(path).catch(() => null))?.uid
  const owners = new Set([await uid(start), process.getuid?.()])
  const folders: string[] = []
  for (let at = start; ; at = dirname(at)) {
    if (realHome !== null && isInside(at, realHome)) break
    if (!owners.has(await uid(at))) break
    folders.push(at)
    const owner = await uid(join(at, '.git'))
    if (owner !== undefined && owners.has(owner)) return { folders, root: at }
    if (dirname(at) === at) break
  }
  return { folders: [start], root: null }
}

/** Returns true for a real path that links below one folder may lead to. */
export type LinkReach = (real: string) => boolean

/**
 * Returns the reach of the links in a folder that is read (`root` is its real path).
 *
 * In a folder of skills of the home, they may lead anywhere in the home but into dot folders, except folders of skills of
 * clients. Elsewhere, they may lead to the repository of the folder; outside of one, to the project that the folder is in
 * by default, else to the folder itself. Git's own data is out of reach.
 */
export async function linkReach(
  path: string,
  root: string,
  { home, project }: { readonly home: string | null; readonly project: string | null },
): Promise<LinkReach> {
  if (home !== null && SKILL_FOLDERS.some((one) => isInside(join(home, one), resolve(path)))) {
    const realHome = await realpath(home).catch(() => home)
    return (real) =>
      isInside(root, real) || (isInside(realHome, real) && isOpen(relative(realHome, real)))
  }
  const repository = await findRepository(root, home)
  const isProject =
    project !== null && isInside(project, root) && !(home !== null && isInside(project, home))
  const boundary = repository.root ?? (isProject ? project : root)
  return (real) =>
    isInside(boundary, real) &&
    !relative(boundary, real)
      .split(sep)
      .some((name) => name.toLowerCase() === '.git')
}

/** Returns true for a path in the home that passes through no dot folder but those of skills of clients. */
function isOpen(path: string): boolean {
  const names = path.split(sep)
  if (path === '') return false
  for (let at = 0; at < names.length;) {
    const client = CLIENT_FOLDERS.find((one) =>
      one.every((name, more) => names[at + more] === name),
    )
    if (client === undefined && names[at]?.startsWith('.') === true) return false
    at += client?.length ?? 1
  }
  return true
}

/** Returns the folder that has a path of skills of a client, such as the project of `.claude/skills/x`; null for another path. */
export function clientFolder(
  folder: string,
): { readonly base: string; readonly skills: string; readonly isSearched: boolean } | null {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const found = CLIENT_FOLDERS.find((one) => at.endsWith(`${sep}${one.join(sep)}`))
    const parts = found ?? (basename(at) === 'skills' ? ['skills'] : null)
    if (parts === null) continue
    const skills = parts.join('/')
    return {
      base: at.slice(0, -skills.length - 1) || sep,
      skills,
      isSearched: skills === 'skills' || SKILL_FOLDERS.includes(skills),
    }
  }
  return null
}
