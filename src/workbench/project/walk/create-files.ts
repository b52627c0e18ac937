import { lstat, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { errorCode, isSkillFilePath } from '../../../entries/kit.ts'
import { comparePaths, isInside } from './is-inside.ts'
import { makeFolder } from './make-folder.ts'

/** Files to write, by path from the target folder, with `/`. */
export type NewFiles = ReadonlyMap<string, string | Uint8Array>

/**
 * Creates files below a folder, and the folder if it is missing. Returns their absolute paths,
 * sorted.
 *
 * All or nothing: `FILES_EXIST` names existing files before anything is written, and if a later
 * file fails, those already written are removed. Files are created, never opened, so a file that
 * appears meanwhile is not changed either. `onFile` is called after each file. Throws
 * `PATH_OUTSIDE` when a link leads out of the folder.
 */
export async function createFiles(
  folder: string,
  files: NewFiles,
  onFile: (done: number, of: number) => void = () => {},
): Promise<readonly string[]> {
  const root = resolve(folder)
  const paths = [...files.keys()].sort(comparePaths)
  const existing = []
  for (const path of paths) {
    if (!isSkillFilePath(path)) throw pathOutside(root, path)
    if ((await lstat(join(root, path)).catch(() => null)) !== null) existing.push(path)
  }
  if (existing.length > 0) throw filesExist(root, existing)
  await makeRoot(root)
  const real = await realpath(root)
  const written: string[] = []
  const made = new Set<string>()
  try {
    for (const path of paths) {
      const full = join(root, path)
      const inner = dirname(full)
      if (!made.has(inner)) {
        if (!isInside(real, await realAncestor(inner))) throw pathOutside(root, path)
        makeFolder(inner)
        made.add(inner)
      }
      try {
        await writeFile(full, files.get(path) ?? '', { flag: 'wx' })
      } catch (error) {
        if (errorCode(error) === 'EEXIST') throw filesExist(root, [path])
        throw error
      }
      written.push(full)
      onFile(written.length, paths.length)
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true })
    throw error
  }
  return written
}

async function makeRoot(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null)
  if (stats !== null && !stats.isDirectory()) {
    throw new WorkspaceError('PATH_NOT_A_FOLDER', `"${folder}" is not a folder.`, {
      facts: { folder },
      hint: 'Give a folder to write into; it is created if it is missing.',
    })
  }
  makeFolder(folder)
}

/** Returns the real path of a folder, or of its nearest existing parent. */
async function realAncestor(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return realAncestor(dirname(folder))
  }
}

function filesExist(folder: string, paths: readonly string[]): WorkspaceError {
  const shown = paths.slice(0, 3).join(', ')
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  const message = `Nothing was written: "${folder}" already has ${shown}${more}.`
  return new WorkspaceError('FILES_EXIST', message, {
    facts: { folder, paths },
    hint: 'Give another folder, or move the existing files away: nothing is ever overwritten.',
  })
}

function pathOutside(folder: string, path: string): WorkspaceError {
  return new WorkspaceError('PATH_OUTSIDE', `"${path}" leads out of "${folder}".`, {
    facts: { folder, path },
    hint: 'Remove the link, or write into another folder.',
  })
}
