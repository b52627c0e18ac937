import { readFile } from 'node:fs/promises'
import type { Manifest } from '../../../catalog/manifest/manifest.ts'
import { readManifest } from '../../../catalog/manifest/read-manifest.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Read a manifest's file. Its outer shape is checked, not its hashes. Throws `PATH_NOT_FOUND`,
 * `MANIFEST_FORMAT` or `MANIFEST_INVALID`.
 */
export async function readManifestFile(file: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no manifest to read at "${file}".`, {
      facts: { file },
      hint: 'Build one: loadout build.',
      cause,
    })
  }
  return readManifest(parse(text, file))
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
