import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { SkillFile } from '../../skills/definition/skill.ts'
import { faultDiagnostic } from '../walk/file-fault.ts'
import { filesCut } from '../walk/files-cut.ts'
import { findFiles } from '../walk/find-files.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { readInside } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

interface FileListing {
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
