import type { Manifest } from '../../catalog/manifest/manifest.ts'
import { readManifest } from '../../catalog/manifest/read-manifest.ts'
import { readBuiltFile } from './read-built-file.ts'

/**
 * Read a manifest's file. Its outer shape is checked, not its hashes. Throws `PATH_NOT_FOUND`,
 * `FILE_UNREADABLE`, `MANIFEST_FORMAT` or `MANIFEST_INVALID`.
 */
export async function readManifestFile(file: string): Promise<Manifest> {
  const kind = { name: 'manifest', command: 'build', invalid: 'MANIFEST_INVALID' } as const
  return readManifest(await readBuiltFile(file, kind))
}
