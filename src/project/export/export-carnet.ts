import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { carnetFiles } from '../../adapters/carnet/format/carnet-files.ts'
import { carnetOfCatalog } from './carnet-of-catalog.ts'
import { comparePaths } from '../walk/compare-paths.ts'
import { makeFolder } from '../walk/make-folder.ts'
import { writeNewFile } from '../walk/write-new-file.ts'
import type { WrittenCarnet } from './write-carnet-manifest.ts'

export interface ExportCarnetOptions {
  /** Write into a folder that holds something; what has the name of a written file is replaced. */
  readonly replace?: boolean
}

/**
 * Write a catalog as a Carnet project: `AGENT.md`, `SKILL.md` with its files, `TOOLSET.md` with its
 * tools, `carnet.config.json`, so that `carnet build` of 0.3.0 makes a manifest of it. Throws
 * `FOLDER_NOT_EMPTY`.
 */
export async function exportCarnet(
  catalog: Catalog,
  folder: string,
  { replace = false }: ExportCarnetOptions = {},
): Promise<WrittenCarnet> {
  const root = resolve(folder)
  makeFolder(root)
  if (!replace && (await readdir(root)).length > 0) {
    throw new WorkspaceError('FOLDER_NOT_EMPTY', `There is something in "${folder}" already.`, {
      facts: { folder: root },
      hint: 'Give an empty folder, or say that files of the same name are to be replaced.',
    })
  }
  const { manifest, diagnostics } = await carnetOfCatalog(catalog)
  const files = [...carnetFiles(manifest)].map(([path, text]) => [join(root, path), text] as const)
  for (const [path, text] of files) await writeNewFile(root, path, text)
  return { files: files.map(([path]) => path).sort(comparePaths), diagnostics }
}
