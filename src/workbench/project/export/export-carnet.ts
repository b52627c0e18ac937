import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  type Catalog,
  type Diagnostic,
  type Skill,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import {
  CARNET_CONFIG,
  CARNET_MANIFEST,
  carnetFiles,
} from '../../../connections/carnet/format/carnet-files.ts'
import type { CarnetManifest } from '../../../connections/carnet/format/carnet-manifest.ts'
import { manifestOfDefinitions } from '../../../connections/carnet/format/manifest-of-definitions.ts'
import type { CarnetFolder } from '../config/load-config.ts'
import { comparePaths, isInside } from '../walk/is-inside.ts'
import { makeFolder } from '../walk/make-folder.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { replaceFileInside } from '../walk/replace-file.ts'
import { unsafeFileName } from '../walk/unsafe-file-name.ts'

export interface ExportCarnetOptions {
  /** Write into a folder that is not empty, and replace files of the same name. */
  readonly replace?: boolean
}

const OPTIONS: OptionsOf<ExportCarnetOptions> = { replace: 'switch' }

/**
 * Exports a catalog as a Carnet project: `AGENT.md`, `SKILL.md` with its files, `TOOLSET.md` with
 * its tools, and `carnet.config.json`, so that `carnet build` of 0.3.0 builds a manifest from it.
 * Throws `FOLDER_NOT_EMPTY`.
 */
export async function exportCarnet(
  catalog: Catalog,
  folder: string,
  options: ExportCarnetOptions = {},
): Promise<WrittenCarnet> {
  checkOptions(options, OPTIONS)
  const { replace = false } = options
  const root = resolve(checkedText(folder, 'folder'))
  makeFolder(root)
  if (!replace && (await readdir(root)).length > 0) {
    throw new WorkspaceError('FOLDER_NOT_EMPTY', `The folder "${folder}" is not empty.`, {
      facts: { folder: root },
      hint: 'Give an empty folder, or allow files of the same name to be replaced.',
    })
  }
  const { manifest, diagnostics } = await carnetFromCatalog(catalog)
  const unsafe: Diagnostic[] = []
  const files = [...carnetFiles(manifest)].filter(([path]) => {
    const finding = unsafePath(path)
    if (finding !== null) unsafe.push(finding)
    return finding === null
  })
  const written = files.map(([path, text]) => [join(root, path), text] as const)
  for (const [path, text] of written) await replaceFileInside(root, path, text)
  return {
    files: written.map(([path]) => path).sort(comparePaths),
    diagnostics: [...diagnostics, ...unsafe],
  }
}

/** Returns a finding about a path with a name that is not safe on every system; else null. */
function unsafePath(path: string): Diagnostic | null {
  for (const name of path.split('/')) {
    const why = unsafeFileName(name)
    if (why === null) continue
    return {
      code: 'carnet-file-left-out',
      severity: 'warning',
      message: `The file "${path}" is left out: nothing can be named "${name}", because ${why}.`,
      hint: 'Rename it.',
    }
  }
  return null
}

export interface WrittenCarnet {
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  /** Findings about fields that Carnet has no place for, and files that could not be exported. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Writes a catalog as `carnet.manifest.json`, version 1, into a folder. The same catalog gives the
 * same bytes. Throws `FILES_EXIST` if there is one and `replace` is false.
 */
export async function writeCarnetManifest(
  catalog: Catalog,
  folder: string,
  options: ExportCarnetOptions = {},
): Promise<WrittenCarnet> {
  checkOptions(options, OPTIONS)
  const { replace = true } = options
  checkedText(folder, 'folder')
  const { manifest, diagnostics } = await carnetFromCatalog(catalog)
  const path = join(resolve(folder), CARNET_MANIFEST)
  if (!replace && (await stat(path).catch(() => null)) !== null) {
    throw new WorkspaceError('FILES_EXIST', `"${path}" exists already.`, {
      facts: { files: [path] },
      hint: 'Give another folder, or remove the file.',
    })
  }
  makeFolder(folder)
  await replaceFileInside(folder, path, `${JSON.stringify(manifest, null, 2)}\n`)
  return { files: [path], diagnostics }
}

/** Converts a catalog to a Carnet manifest, with the texts of its skills' files. */
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
    hint: 'Carnet stores files as text in its manifest. Copy other files next to it.',
    ...(file !== undefined && { file }),
  }
}

/**
 * Returns the folder that a Carnet project's manifest is written to: its `output`, relative to the
 * project that contains it, as with Carnet's own command, otherwise the Carnet folder.
 *
 * A configuration may come from anywhere, so an `output` outside the project has no effect and is
 * reported.
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
    message: `The configuration sets the output "${config.output}", which is outside the project; "${folder}" is used instead.`,
    hint: 'Give the output folder yourself.',
    file: join(folder, CARNET_CONFIG),
  }
  return { folder, diagnostics: [diagnostic] }
}
