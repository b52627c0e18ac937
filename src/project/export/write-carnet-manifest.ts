import { join, resolve } from 'node:path'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { CARNET_MANIFEST } from '../../adapters/carnet/format/carnet-names.ts'
import { carnetOfCatalog } from './carnet-of-catalog.ts'
import { makeFolder } from '../walk/make-folder.ts'
import { writeNewFile } from '../walk/write-new-file.ts'

export interface WrittenCarnet {
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  /** What Carnet has no place for, and files that could not be taken along. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Write a catalog as `carnet.manifest.json`, version 1, into a folder. The same catalog gives the
 * same bytes.
 */
export async function writeCarnetManifest(
  catalog: Catalog,
  folder: string,
): Promise<WrittenCarnet> {
  const { manifest, diagnostics } = await carnetOfCatalog(catalog)
  const path = join(resolve(folder), CARNET_MANIFEST)
  makeFolder(folder)
  await writeNewFile(folder, path, `${JSON.stringify(manifest, null, 2)}\n`)
  return { files: [path], diagnostics }
}
