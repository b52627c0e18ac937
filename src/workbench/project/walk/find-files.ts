import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { comparePaths, isInside } from './is-inside.ts'
import { type ResolvedOptions, SKIPPED_FOLDERS } from './load-options.ts'
import { faultDiagnostic, fileFaultFromError, linkOutside } from './read-inside.ts'
import type { Folder } from './walk-folders.ts'

/**
 * Returns the paths of all files below a folder, sorted, following links to folders. `skip` leaves
 * out entries by path; entries left out for another reason are reported.
 */
export async function findFiles(
  folder: Folder,
  skip: (path: string) => boolean,
  { limits, followLinksOut }: ResolvedOptions,
  diagnostics: Diagnostic[],
): Promise<readonly string[]> {
  const found: string[] = []
  let folders = 0
  let deep = false
  const visit = async (entries: readonly Dirent[], prefix: string, above: readonly string[]) => {
    for (const entry of entries) {
      const path = prefix + entry.name
      if (SKIPPED_FOLDERS.has(entry.name) || isTemporaryFile(entry.name) || skip(path)) continue
      if (isUnportableName(entry.name)) {
        diagnostics.push(unportableName(folder.path, path))
        continue
      }
      const full = join(folder.path, path)
      const real = await folderAt(entry, full, above)
      if (real === null) {
        found.push(path)
        continue
      }
      if (above.includes(real)) continue
      if (!followLinksOut && !isInside(folder.real, real)) {
        diagnostics.push(faultDiagnostic(linkOutside("the skill's folder"), 'warning', full))
        continue
      }
      if (above.length > limits.maxDepth || folders >= limits.maxFolders) {
        deep = true
        continue
      }
      folders += 1
      try {
        const inner = await readdir(full, { withFileTypes: true })
        inner.sort((a, b) => (a.name < b.name ? -1 : 1))
        await visit(inner, `${path}/`, [...above, real])
      } catch (error) {
        diagnostics.push(faultDiagnostic(fileFaultFromError(error), 'warning', full))
      }
    }
  }
  await visit(folder.entries, '', [folder.real])
  if (deep) {
    const what = `folders down to ${limits.maxDepth} levels, and at most ${limits.maxFolders} of them`
    diagnostics.push(fileListTruncated(folder.path, what))
  }
  return found.sort(comparePaths)
}

/**
 * Returns the real path of an entry that is a folder or a link to one; null for any other entry.
 */
async function folderAt(
  entry: Dirent,
  path: string,
  above: readonly string[],
): Promise<string | null> {
  if (entry.isDirectory()) return join(above.at(-1) ?? '', entry.name)
  if (!entry.isSymbolicLink()) return null
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : null
  } catch {
    return null
  }
}

/** Returns true for temporary files of editors and desktops, which are not part of a skill. */
function isTemporaryFile(name: string): boolean {
  return name === '.DS_Store' || name.endsWith('~') || /^\..*\.sw[a-p]$/.test(name)
}

/** Returns true for names that are a path, or part of one, on some system. */
function isUnportableName(name: string): boolean {
  return name.includes('\\') || name.includes(':')
}

function unportableName(folder: string, path: string): Diagnostic {
  return {
    code: 'file-name-odd',
    severity: 'warning',
    message: `The file "${path}" has a name that is a path on other systems; the file is not listed.`,
    hint: 'Use names without a backslash or a colon.',
    file: join(folder, path),
  }
}

/** Reports a list of files that a limit cut off. */
export function fileListTruncated(folder: string, what: string): Diagnostic {
  return {
    code: 'files-cut',
    severity: 'warning',
    message: `The list of the skill's files is incomplete: it has ${what}.`,
    hint: 'Remove files the skill does not need.',
    file: folder,
  }
}
