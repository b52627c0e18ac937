import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  CARNET_CONFIG,
  CARNET_MANIFEST,
  carnetFiles,
} from '../../adapters/carnet/format/carnet-files.ts'
import type { CarnetManifest } from '../../adapters/carnet/format/carnet-manifest.ts'
import { manifestOfDefinitions } from '../../adapters/carnet/format/manifest-of-definitions.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CarnetFolder } from '../config/load-config.ts'
import { comparePaths, isInside } from '../walk/is-inside.ts'
import { makeFolder } from '../walk/make-folder.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { replaceFileInside } from '../walk/replace-file.ts'
import type { Skill } from '../../skills/definition/skill.ts'

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
  const { manifest, diagnostics } = await carnetFromCatalog(catalog)
  const files = [...carnetFiles(manifest)].map(([path, text]) => [join(root, path), text] as const)
  for (const [path, text] of files) await replaceFileInside(root, path, text)
  return { files: files.map(([path]) => path).sort(comparePaths), diagnostics }
}

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
  const { manifest, diagnostics } = await carnetFromCatalog(catalog)
  const path = join(resolve(folder), CARNET_MANIFEST)
  makeFolder(folder)
  await replaceFileInside(folder, path, `${JSON.stringify(manifest, null, 2)}\n`)
  return { files: [path], diagnostics }
}

/** A catalog as a Carnet manifest, with the texts of its skills' files. */
async function carnetFromCatalog(
  catalog: Catalog,
): Promise<{ readonly manifest: CarnetManifest; readonly diagnostics: readonly Diagnostic[] }> {
  const skills = [...catalog.skills.values()]
  const files = skills.flatMap((skill) => skill.files.map(({ path }) => ({ skill, path })))
  const texts = new Map<Skill, Map<string, string>>(skills.map((skill) => [skill, new Map()]))
  const missed: Diagnostic[] = []
  await mapBounded(files, FILES_AT_ONCE, async ({ skill, path }) => {
    try {
      const text = await skill.readFile?.(path)
      if (text !== undefined) texts.get(skill)?.set(path, text)
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      missed.push(omittedFile(skill, path, error.message))
    }
  })
  const source = {
    skills,
    toolsets: [...catalog.toolsets.values()],
    tools: [...catalog.sharedTools.values()].flatMap(([latest]) => latest ?? []),
    agents: [...catalog.agents.values()],
  }
  const { manifest, diagnostics } = manifestOfDefinitions(source, (skill, path) =>
    texts.get(skill)?.get(path),
  )
  missed.sort((a, b) => (a.message < b.message ? -1 : 1))
  return { manifest, diagnostics: [...diagnostics, ...missed] }
}

function omittedFile({ path: file }: Skill, path: string, why: string): Diagnostic {
  return {
    code: 'carnet-file-left-out',
    severity: 'warning',
    message: `The file "${path}" is left out: ${why}`,
    hint: 'Carnet keeps files as text in its manifest; copy others beside it.',
    ...(file !== undefined && { file }),
  }
}

/**
 * The folder that a Carnet project's manifest is written to: its `output`, relative to the project that
 * holds it, as with Carnet's own command, else the Carnet folder. A configuration is a file from
 * somewhere, so an `output` that leads out of the project has no effect, with a finding.
 */
export function carnetOutput(
  { folder, config }: CarnetFolder,
  project: string,
): { readonly folder: string; readonly diagnostics: readonly Diagnostic[] } {
  if (config.output === null) return { folder, diagnostics: [] }
  const root = resolve(project)
  const output = resolve(root, config.output)
  if (isInside(root, output)) return { folder: output, diagnostics: [] }
  const diagnostic: Diagnostic = {
    code: 'path-outside',
    severity: 'warning',
    message: `The configuration writes to "${config.output}", which is outside the project; "${folder}" is written to.`,
    hint: 'Say where to write yourself.',
    file: join(folder, CARNET_CONFIG),
  }
  return { folder, diagnostics: [diagnostic] }
}
