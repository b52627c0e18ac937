import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { SkillFile } from '../../skills/skill.ts'
import { comparePaths } from './compare-paths.ts'
import { faultDiagnostic, faultOf, linkOutside } from './file-fault.ts'
import { isInside } from './is-inside.ts'
import { type ResolvedOptions, SKIPPED_FOLDERS } from './load-options.ts'
import { FILES_AT_ONCE, mapBounded } from './map-bounded.ts'
import { readInside } from './read-inside.ts'
import type { Folder } from './walk-folders.ts'

export interface FileListing {
  readonly files: readonly SkillFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * List the files of a skill's folder with size and digest, sorted by path. `skip` leaves out
 * entries, by path from the folder. Limits and odd entries are reported.
 */
export async function listFiles(
  folder: Folder,
  skip: (path: string) => boolean,
  options: ResolvedOptions,
): Promise<FileListing> {
  const diagnostics: Diagnostic[] = []
  const { limits, followLinksOut } = options
  const paths = await findFiles(folder, skip, options, diagnostics)
  const chosen = paths.slice(0, limits.maxFiles)
  if (paths.length > chosen.length) {
    diagnostics.push(filesCut(folder.path, `${chosen.length} of at least ${paths.length} files`))
  }
  let room = limits.maxSkillBytes
  let left = 0
  const files: SkillFile[] = []
  const sized = await mapBounded(chosen, FILES_AT_ONCE, async (path) => {
    const file = join(folder.path, path)
    return { path, file, size: await sizeOf(file) }
  })
  for (const { path, file, size } of sized) {
    if (size > room) {
      left += 1
      continue
    }
    const outcome = await readInside(folder.real, file, { maxBytes: room, followLinksOut })
    if (!outcome.ok) {
      diagnostics.push(faultDiagnostic(outcome.fault, 'warning', file))
      continue
    }
    room -= outcome.bytes.length
    files.push({ path, size: outcome.bytes.length, hash: textHash(outcome.bytes) })
  }
  if (left > 0) {
    const what = `all files but ${left}, which would exceed ${limits.maxSkillBytes} bytes in all`
    diagnostics.push(filesCut(folder.path, what))
  }
  return { files, diagnostics }
}

/** Zero for what cannot be looked at: reading it says why. */
async function sizeOf(path: string): Promise<number> {
  try {
    const stats = await stat(path)
    return stats.isFile() ? stats.size : 0
  } catch {
    return 0
  }
}

/** Paths of files below a folder, sorted; one more than the limit tells that there are more. */
async function findFiles(
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
      if (SKIPPED_FOLDERS.has(entry.name) || skip(path)) continue
      if (isOddName(entry.name)) {
        diagnostics.push(oddName(folder.path, path))
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
        diagnostics.push(faultDiagnostic(faultOf(error), 'warning', full))
      }
    }
  }
  await visit(folder.entries, '', [folder.real])
  if (deep) {
    const what = `folders down to ${limits.maxDepth} levels, and at most ${limits.maxFolders} of them`
    diagnostics.push(filesCut(folder.path, what))
  }
  return found.sort(comparePaths)
}

/** The real path of an entry that is a folder or a link to one; null for everything else. */
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

/** Names that are a path, or part of one, on some system. */
function isOddName(name: string): boolean {
  return name.includes('\\') || name.includes(':')
}

function oddName(folder: string, path: string): Diagnostic {
  return {
    code: 'file-name-odd',
    severity: 'warning',
    message: `The file "${path}" has a name that is a path on other systems; it is not listed.`,
    hint: 'Use names without a backslash or a colon.',
    file: join(folder, path),
  }
}

function filesCut(folder: string, what: string): Diagnostic {
  return {
    code: 'files-cut',
    severity: 'warning',
    message: `The list of the skill's files is cut: it holds ${what}.`,
    hint: 'Remove files the skill does not need, or raise the limit.',
    file: folder,
  }
}
