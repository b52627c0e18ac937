import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { decodeText, Findings, textHash } from '../../../entries/kit.ts'
import type { SkillFile, SkillFileReader } from '../../../entries/definitions.ts'
import { fileListTruncated, findFiles } from '../walk/find-files.ts'
import { FIXED_LIMITS, type ResolvedOptions } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { faultDiagnostic, readInside } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/**
 * Creates a reader for the listed files of one skill on disk.
 *
 * A path is looked up in the list and never resolved, so no spelling of a path leads anywhere else:
 * `FILE_NOT_LISTED`. A file that has changed since it was listed is refused (`FILE_CHANGED`): a
 * session reads the files it was loaded with.
 */
export function skillFileReader(
  skill: string,
  folder: Folder,
  files: readonly SkillFile[],
  followLinksOut: boolean,
): SkillFileReader {
  const listed = new Map(files.map((file) => [file.path, file]))
  return async (path, signal) => {
    const file = listed.get(path)
    if (file === undefined) {
      throw new WorkspaceError('FILE_NOT_LISTED', `The skill "${skill}" lists no file "${path}".`, {
        facts: { skill, path },
        hint: 'Use a path exactly as spelled in the list of files.',
      })
    }
    signal?.throwIfAborted()
    const full = join(folder.path, path)
    const outcome = await readInside(folder.real, full, { maxBytes: file.size, followLinksOut })
    if (!outcome.ok || textHash(outcome.bytes) !== file.hash) {
      const why = outcome.ok ? 'Its content has changed.' : outcome.fault.message
      throw new WorkspaceError(
        'FILE_CHANGED',
        `The file "${path}" of the skill "${skill}" has changed since it was listed. ${why}`,
        { facts: { skill, path }, hint: 'Load the skills again to accept the current files.' },
      )
    }
    const findings = new Findings(full)
    const text = decodeText(outcome.bytes, findings)
    if (text !== null) return text
    const [finding] = findings.list
    throw new WorkspaceError(
      'FILE_NOT_TEXT',
      `The file "${path}" of the skill "${skill}" is not text. ${finding?.message ?? ''}`.trim(),
      { facts: { skill, path }, hint: 'Read another file, or use it by its path.' },
    )
  }
}

/**
 * Lists the files of a skill's folder with size and digest, sorted by path. `skip` leaves out
 * entries, by path from the folder. Limits and unportable names are reported.
 */
export async function listSkillFiles(
  folder: Folder,
  skip: (path: string) => boolean,
  options: ResolvedOptions,
): Promise<{ readonly files: readonly SkillFile[]; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const { followLinksOut } = options
  const paths = await findFiles(folder, skip, options, diagnostics)
  const chosen = paths.slice(0, FIXED_LIMITS.maxFiles)
  if (paths.length > chosen.length) {
    diagnostics.push(
      fileListTruncated(folder.path, `${chosen.length} of at least ${paths.length} files`),
    )
  }
  let room = FIXED_LIMITS.maxSkillBytes
  let left = 0
  const files: SkillFile[] = []
  const sized = await mapBounded(chosen, FILES_AT_ONCE, async (path) => {
    const file = join(folder.path, path)
    // Reading a file that cannot be inspected reports the reason.
    const stats = await stat(file).catch(() => null)
    return { path, file, size: stats?.isFile() ? stats.size : 0 }
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
    const what = `all files except ${left}, which would exceed ${FIXED_LIMITS.maxSkillBytes} bytes in total`
    diagnostics.push(fileListTruncated(folder.path, what))
  }
  return { files, diagnostics }
}
