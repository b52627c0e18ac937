import { WorkspaceError } from '../../../entries/index.ts'
import { type Manifest, readManifest } from '../../../entries/manifest.ts'
import { readNamedFile } from '../walk/read-inside.ts'

/**
 * Reads a manifest's file. Its structure is checked, not its hashes. Throws `PATH_NOT_FOUND`,
 * `FILE_UNREADABLE`, `MANIFEST_FORMAT` or `MANIFEST_INVALID`.
 */
export async function loadManifest(file: string): Promise<Manifest> {
  const kind = { name: 'manifest', command: 'build', invalid: 'MANIFEST_INVALID' } as const
  return readManifest(await readGeneratedFile(file, kind))
}

/** A kind of JSON file that a command writes. */
interface GeneratedFileKind {
  readonly name: 'manifest' | 'lock'
  readonly command: 'build' | 'lock'
  /** Error code for a file that is not of that kind. */
  readonly invalid: 'MANIFEST_INVALID' | 'LOCK_INVALID'
}

/**
 * Reads the JSON of such a file. Throws `PATH_NOT_FOUND`, `FILE_UNREADABLE`, or the code of its
 * kind.
 */
export async function readGeneratedFile(
  file: string,
  { name, command, invalid }: GeneratedFileKind,
): Promise<unknown> {
  const facts = { file }
  const read = await readNamedFile(file)
  if (!read.ok) {
    const { code, message, hint } = read.fault
    throw code === 'file-not-found'
      ? new WorkspaceError('PATH_NOT_FOUND', `There is no ${name} at "${file}".`, {
          facts,
          hint: `Write one: loadout ${command}.`,
        })
      : new WorkspaceError(
          'FILE_UNREADABLE',
          `The ${name} at "${file}" cannot be read. ${message}`,
          {
            facts,
            hint,
          },
        )
  }
  try {
    return JSON.parse(read.text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WorkspaceError(invalid, `"${file}" is not JSON: ${reason}`, {
      facts,
      hint: `Write it again: loadout ${command}.`,
      cause,
    })
  }
}
