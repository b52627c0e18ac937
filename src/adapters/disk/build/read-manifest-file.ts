import type { Manifest } from '../../../catalog/manifest/manifest.ts'
import { readManifest } from '../../../catalog/manifest/read-manifest.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { readNamedFile } from '../read-named-file.ts'

/**
 * Read a manifest's file. Its outer shape is checked, not its hashes. Throws `PATH_NOT_FOUND`,
 * `FILE_UNREADABLE`, `MANIFEST_FORMAT` or `MANIFEST_INVALID`.
 */
export async function readManifestFile(file: string): Promise<Manifest> {
  const read = await readNamedFile(file)
  if (read.ok) return readManifest(parse(read.text, file))
  const { code, message, hint } = read.fault
  const facts = { file }
  if (code === 'file-not-found') {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no manifest at "${file}".`, {
      facts,
      hint: 'Build one: loadout build.',
    })
  }
  throw new WorkspaceError('FILE_UNREADABLE', `No manifest can be read at "${file}". ${message}`, {
    facts,
    hint,
  })
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WorkspaceError('MANIFEST_INVALID', `"${file}" is not JSON: ${reason}`, {
      facts: { file },
      hint: 'Build it again: loadout build.',
      cause,
    })
  }
}
