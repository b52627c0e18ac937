import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { isInside } from '../walk/is-inside.ts'
import { OTHER_CLIENT_FOLDERS, SKILL_FOLDERS } from '../walk/link-reach.ts'
import { type LoadLimits, resolveOptions } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { type Folder, walkFolders } from '../walk/walk-folders.ts'

const REPOSITORY_LIMITS: LoadLimits = { maxDepth: 64, maxFolders: 20_000 }
const FOLDER_LIMITS: LoadLimits = { maxDepth: 64, maxFolders: 2_000 }
const PLACE_LIMITS: LoadLimits = { maxDepth: 4, maxFolders: 200 }

/** Parents above the repository, or the folder, that are looked at. */
const MOST_PARENTS = 8

/** A file that may be the one that a person means. */
export interface FoundFile {
  readonly kind: 'skill' | 'one-file' | 'command' | 'agent'
  readonly file: string
  readonly folder: string
}

/** The places in which skills may be. All paths are real. */
export interface ScannedPlaces {
  readonly files: readonly FoundFile[]
  readonly skillFolders: ReadonlySet<string>
  readonly plugins: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Walks the repository of a folder, the folders that are read (`roots`), the folders of skills of clients in the home and
 * above the repository, and the packages of the folder. No link is followed out of any of them.
 */
export async function scanPlaces({
  folder,
  root,
  home,
  roots,
}: {
  readonly folder: string
  readonly root: string | null
  readonly home: string | null
  readonly roots: readonly string[]
}): Promise<ScannedPlaces> {
  const isHome = home !== null && isInside(folder, home)
  // The home, or a parent of it, has much that is no project.
  const own = isHome ? [] : [root ?? folder]
  const above = isHome ? [folder] : await parents(root ?? folder, home)
  const others = roots.filter((one) => !own.some((path) => isInside(path, one)))
  const clients = [...SKILL_FOLDERS, ...OTHER_CLIENT_FOLDERS]
  const walks = [
    ...own.map((path) => [path, root === null ? FOLDER_LIMITS : REPOSITORY_LIMITS] as const),
    ...others.map((path) => [path, FOLDER_LIMITS] as const),
    ...[
      ...above.flatMap((path) => [...clients, 'skills'].map((one) => join(path, one))),
      ...(home === null ? [] : clients.map((one) => join(home, one))),
      ...(await packages(folder)).map((path) => join(path, 'skills')),
    ].map((path) => [path, PLACE_LIMITS] as const),
  ]
  const folders: Folder[] = []
  const diagnostics: Diagnostic[] = []
  for (const [path, limits] of walks) {
    const start = await realpath(path).catch(() => null)
    if (start === null || !(await stat(start)).isDirectory()) continue
    const walk = await walkFolders(start, resolveOptions({ limits }), () => true)
    folders.push(...walk.folders)
    diagnostics.push(...walk.diagnostics)
  }
  const plugins = new Set(
    folders
      .filter(({ entries }) => entries.some(({ name }) => name === '.claude-plugin'))
      .map(({ real }) => real),
  )
  const found = folders.flatMap((one) => candidates(one, plugins))
  const skillFolders = new Set(
    found.filter(({ kind }) => kind === 'skill').map((one) => one.folder),
  )
  // A folder of skills that has no SKILL.md itself may have some below.
  const groups = new Set([...skillFolders].map((path) => dirname(path)))
  const files = new Map(
    found
      .filter(({ kind, folder: path }) => kind !== 'one-file' || isPlace(path) || !groups.has(path))
      .map((one) => [one.file, one]),
  )
  return { files: [...files.values()], skillFolders, plugins, diagnostics }
}

/** Returns the parents of the same owner, below those that contain the home. */
async function parents(folder: string, home: string | null): Promise<readonly string[]> {
  const uid = async (path: string) => (await stat(path).catch(() => null))?.uid
  const owner = await uid(folder)
  const found: string[] = []
  for (let at = dirname(folder); found.length < MOST_PARENTS; at = dirname(at)) {
    const isEnd = dirname(at) === at || (home !== null && isInside(at, home))
    if (isEnd || (await uid(at)) !== owner) break
    found.push(at)
  }
  return found
}

/** Returns the folders of the packages that are installed in a folder. */
async function packages(folder: string): Promise<readonly string[]> {
  const modules = join(folder, 'node_modules')
  const names = await readdir(modules).catch((): string[] => [])
  const scoped = await mapBounded(names, FILES_AT_ONCE, async (name) => {
    if (!name.startsWith('@')) return [name]
    const inner = await readdir(join(modules, name)).catch((): string[] => [])
    return inner.map((one) => join(name, one))
  })
  return scoped.flat().map((name) => join(modules, name))
}

/** Returns true for a folder that contains the folders of skills. */
export function isPlace(folder: string): boolean {
  return basename(folder) === 'skills'
}

/** Returns the files of a folder that may be a skill, a command or an agent. */
function candidates(
  { real: folder, entries }: Folder,
  plugins: ReadonlySet<string>,
): readonly FoundFile[] {
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  const skills = names.filter((name) => /^skill\.md$/i.test(name))
  // Next to other skills, a file with another end is meant as one, too.
  const isNext = isPlace(dirname(folder))
  const skill =
    skills.find((name) => /^(?:SKILL|skill)\.md$/.test(name)) ??
    skills[0] ??
    (isNext
      ? names.find((name) => /^skills?(?:\.(?:md|mdx|markdown|txt)(?:\.\w+)?)?$/i.test(name))
      : undefined)
  if (skill !== undefined) return [{ kind: 'skill', file: join(folder, skill), folder }]
  const texts = names.filter((name) => name.endsWith('.md'))
  const all = (kind: FoundFile['kind']) =>
    texts.map((name): FoundFile => ({ kind, file: join(folder, name), folder }))
  for (const kind of ['command', 'agent'] as const) {
    if (partOwner(folder, `${kind}s`, plugins) !== null) return all(kind)
  }
  if (isPlace(folder)) return all('one-file')
  const isNamed = names.includes('skill.json') || texts.length === 1
  return isNext && isNamed ? all('one-file').slice(0, 1) : []
}

/** Returns the `.claude` folder or the plugin that a folder of commands or agents is in; null for another folder. */
export function partOwner(
  folder: string,
  part: string,
  plugins: ReadonlySet<string>,
): string | null {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const owner = dirname(at)
    const isOwner = basename(owner) === '.claude' || plugins.has(owner)
    if (basename(at) === part && isOwner) return owner
  }
  return null
}
