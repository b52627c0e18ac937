import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { faultDiagnostic } from '../walk/file-fault.ts'
import { filesCut } from '../walk/files-cut.ts'
import { findFiles } from '../walk/find-files.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readInside } from '../walk/read-inside.ts'

interface FolderFiles {
  /** Their bytes, by path in the folder, with `/`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What was left out, and why. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * All that a folder holds, to be copied: within the limits of a skill, links that lead out left out.
 * `skip` leaves out entries by path.
 */
export async function folderFiles(
  path: string,
  skip: (inner: string) => boolean = () => false,
): Promise<FolderFiles> {
  const options = resolveOptions({})
  const { maxFiles, maxSkillBytes } = options.limits
  const diagnostics: Diagnostic[] = []
  const real = await realpath(path)
  const entries = await readdir(real, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = await findFiles({ path, real, depth: 0, entries }, skip, options, diagnostics)
  if (found.length > maxFiles) {
    diagnostics.push(filesCut(path, `${maxFiles} of at least ${found.length} files`))
  }
  const files = new Map<string, Uint8Array>()
  let room = maxSkillBytes
  for (const inner of found.slice(0, maxFiles)) {
    const file = join(path, inner)
    const read = await readInside(real, file, { maxBytes: room, followLinksOut: false })
    if (read.ok) {
      files.set(inner, read.bytes)
      room -= read.bytes.length
    } else diagnostics.push(faultDiagnostic(read.fault, 'warning', file))
  }
  return { files, diagnostics }
}
