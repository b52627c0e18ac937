import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { ignoreMatcher } from '../../entries/definitions.ts'

/** The origin of a skill. */
export type ListScope = 'built-in' | 'home' | 'project'

/** A file of a skill that a client finds. */
export interface FoundSkill {
  readonly path: string
  /** The real path, by which the same file is found once. */
  readonly real: string
  /** The folder of skills that it was found in. */
  readonly place: string
  readonly scope: ListScope
  /** The name of the skill's folder. */
  readonly folderName: string
  readonly bytes: Buffer
  /** True if a file such as `.gitignore` in the folder of skills leaves it out. */
  readonly isIgnored?: true
}

/** A folder that a client searches. */
export interface SkillPlace {
  readonly path: string
  readonly scope: Exclude<ListScope, 'built-in'>
  /** Changes of the client's rules for this folder. */
  readonly walk?: Partial<WalkRules>
}

/** The rules by which a client searches a folder of skills. */
export interface WalkRules {
  /** Levels of folders below the folder that are searched; 1 for its own folders only. */
  readonly depth: number
  /** True if a SKILL.md in the folder itself is a skill. */
  readonly inPlace: boolean
  /** True if folders below a skill are searched too. */
  readonly belowSkills: boolean
  /** Names of folders and files that are skipped. */
  readonly skips: (name: string) => boolean
  /** True if a SKILL.md that is a link is read. */
  readonly fileLinks: boolean
  /** Levels of folders in which other Markdown files are skills; 0 for none, 1 for the folder itself. */
  readonly looseFiles: number
  /** True if a link that leads to a folder above is followed again and again, until the system refuses. */
  readonly loops?: true
  /** Names of files whose lines say which skills below their folder are left out. */
  readonly ignoreFiles?: readonly string[]
  /** Files that are larger are not read. */
  readonly maxBytes: number
}

/** Folders that are read in one place, so that a link to a whole disk ends. */
const MAX_FOLDERS = 2000

/** Finds the files of skills in a folder, in the order of their paths; none if there is no such folder. */
export async function findSkillFiles(
  { path: place, scope, walk }: SkillPlace,
  usual: WalkRules,
): Promise<readonly FoundSkill[]> {
  const rules = { ...usual, ...walk }
  const files: FoundSkill[] = []
  const seen = new Set<string>()
  const lines: string[] = []
  const add = async (path: string): Promise<boolean> => {
    const isIgnored = lines.length > 0 && ignoreMatcher(lines, true)(below(place, path))
    const found = await skillFile(path, place, scope, rules)
    files.push(...found.map((file) => (isIgnored ? { ...file, isIgnored } : file)))
    return !isIgnored
  }
  const visit = async (folder: string, depth: number): Promise<void> => {
    const real = await realpath(folder).catch(() => null)
    const key = rules.loops === true ? folder : real
    if (real === null || key === null || seen.has(key) || seen.size >= MAX_FOLDERS) return
    seen.add(key)
    for (const name of rules.ignoreFiles ?? []) {
      lines.push(...(await readIgnored(join(folder, name), below(place, folder))))
    }
    const entries = (await readFolder(folder)).filter(({ name }) => !rules.skips(name))
    const own = entries.find(({ name }) => name === 'SKILL.md')
    const isSkill =
      (depth > 0 || rules.inPlace) &&
      own !== undefined &&
      (await isFile(folder, own, rules.fileLinks))
    const isTaken = isSkill && (await add(join(folder, 'SKILL.md')))
    if ((isTaken && !rules.belowSkills) || depth >= rules.depth) return
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (await isFolder(folder, entry)) await visit(path, depth + 1)
      else if (
        depth < rules.looseFiles &&
        entry.name !== 'SKILL.md' &&
        entry.name.endsWith('.md')
      ) {
        if (await isFile(folder, entry, true)) await add(path)
      }
    }
  }
  await visit(place, 0)
  return files
}

function below(place: string, path: string): string {
  return relative(place, path).split(sep).join('/')
}

/** Reads lines of a `.gitignore` as patterns below the folder of skills: each means the file's own folder, if it has one. */
async function readIgnored(file: string, folder: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line))
  return lines.map((line) => {
    const [, not = '', pattern = ''] = /^(!?)(?:\\(?=!))?\/?(.*)$/.exec(line.trimEnd()) ?? []
    return not + (folder === '' ? pattern : `${folder}/${pattern}`)
  })
}

async function skillFile(
  path: string,
  place: string,
  scope: ListScope,
  { maxBytes }: WalkRules,
): Promise<readonly FoundSkill[]> {
  try {
    if ((await stat(path)).size > maxBytes) return []
    const real = await realpath(path)
    // A link to a key or another secret is not followed, whatever the client does.
    if (!real.endsWith('.md')) return []
    const bytes = await readFile(real)
    return [{ path, real, place, scope, folderName: basename(dirname(path)), bytes }]
  } catch {
    return []
  }
}

/** Sorted by bytes, as clients get them from the system. */
async function readFolder(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

async function isFolder(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return (await stat(join(folder, entry.name)).catch(() => null))?.isDirectory() ?? false
}

async function isFile(folder: string, entry: Dirent, follows: boolean): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile()
  if (!follows) return false
  return (await stat(join(folder, entry.name)).catch(() => null))?.isFile() ?? false
}

/** Leaves out files that were found before, by their real paths. */
export function uniqueFiles<File extends FoundSkill>(files: readonly File[]): readonly File[] {
  const seen = new Set<string>()
  return files.filter(({ real }) => !seen.has(real) && seen.add(real))
}
