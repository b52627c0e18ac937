import { posix } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { isSkillFilePath } from '../../../entries/kit.ts'
import { SKIPPED_FOLDERS } from '../walk/load-options.ts'

/** The place that skills are added from. Nothing of it runs. */
export interface SourceFiles {
  /** Its address, without a password. */
  readonly origin: string
  /** The branch, tag, commit or version that was asked for. */
  readonly ref?: string
  /** The commit that was read, or the version of a package. */
  readonly commit?: string
  /** The folder that the address names, if it names one; its skills are meant, or the skill that it is in. */
  readonly within?: string
  /** The name of the skill that the address names, if it names one. */
  readonly skill?: string
  /** Regular files, sorted by path, without links, submodules, `.git` and `node_modules`. */
  readonly files: readonly SourceFile[]
  /** Paths of links and submodules, which are not copied. */
  readonly leftOut: readonly string[]
  /** Reads some of its files. */
  read(files: readonly SourceFile[]): Promise<readonly Uint8Array[]>
}

export interface SourceFile {
  /** With `/`, from the top of the source. */
  readonly path: string
  readonly size: number
  readonly executable: boolean
  /** Names its bytes in the source. */
  readonly id: string
}

/** Files that a source may have. */
const MOST_FILES = 100_000

/**
 * Returns the files of a source that may be copied, sorted. Throws `SOURCE_UNSAFE` for a path that leads out of it,
 * and `SOURCE_TOO_LARGE`.
 */
export function checkedFiles(files: readonly SourceFile[]): readonly SourceFile[] {
  if (files.length > MOST_FILES) {
    const message = `The source has ${files.length} files; at most ${MOST_FILES} are read.`
    throw new WorkspaceError('SOURCE_TOO_LARGE', message, {
      hint: 'Copy the skills into a folder of their own, and add that.',
    })
  }
  const seen = new Map<string, SourceFile>()
  for (const file of files) {
    const { path } = file
    if (!isSkillFilePath(path) || path.includes(':')) {
      throw new WorkspaceError('SOURCE_UNSAFE', `The source has a file at "${path}".`, {
        facts: { path },
        hint: 'A path that leads out of its folder, or is none on other systems, is never written.',
      })
    }
    const key = nameOnDisk(path)
    if (key.split('/').some((name) => SKIPPED_FOLDERS.has(name))) continue
    const other = seen.get(key)
    if (other !== undefined) {
      const message = `The source has "${other.path}" and "${path}", which are one file on some systems.`
      throw new WorkspaceError('SOURCE_UNSAFE', message, {
        facts: { paths: [other.path, path] },
        hint: 'Ask its author to rename one of them.',
      })
    }
    seen.set(key, file)
  }
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns a path in the form in which macOS and Windows compare it: paths with the same form are one file there. */
export function nameOnDisk(path: string): string {
  const names = path.toUpperCase().toLowerCase().normalize('NFC').split('/')
  return names.map(withoutLastDots).join('/')
}

/** Windows leaves out dots and spaces at the end of a name. */
function withoutLastDots(name: string): string {
  let end = name.length
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end -= 1
  return name.slice(0, end)
}

/** Returns the folder of a path; empty for a path at the top. */
export function parentFolder(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}
