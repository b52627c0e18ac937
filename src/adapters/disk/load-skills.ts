import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Toolset } from '../../registry/toolset.ts'
import type { Skill } from '../../skills/skill.ts'
import { type LoadOptions, resolveOptions, type ResolvedOptions } from './load-options.ts'
import { loadSkillFolder } from './load-skill-folder.ts'
import { loadToolFolder } from './load-tool-folder.ts'
import { loadToolsetFile } from './load-toolset-file.ts'
import type { HandlerFile, Loaded } from './loaded.ts'
import { FILES_AT_ONCE, mapBounded } from './map-bounded.ts'
import { skillFileName } from './skill-file-name.ts'
import { type Folder, walkFolders } from './walk-folders.ts'

/**
 * Read every skill, toolset and shared tool below the given paths. Runs no code.
 *
 * A path is a skill's folder, its `SKILL.md`, or any folder above. Skills are folders with a
 * `SKILL.md`; toolsets have a `TOOLSET.md`; shared tools are `tools/<name>/schema.json` of a
 * given path. The order is that of the given paths, then by path, whatever the disk says. What is
 * wrong with one file is a diagnostic and stops no other. Throws `PATH_NOT_FOUND` for a given path
 * that is not there.
 */
export async function loadSkills(
  paths: string | readonly string[],
  options: LoadOptions = {},
): Promise<Loaded> {
  const resolved = resolveOptions(options)
  const roots = new Set<string>()
  for (const path of typeof paths === 'string' ? [paths] : paths) roots.add(await rootAt(path))
  const seen = new Set<string>()
  const parts: Loaded[] = []
  for (const root of roots) parts.push(await loadRoot(root, seen, resolved))
  return {
    skills: parts.flatMap(({ skills }) => skills),
    toolsets: parts.flatMap(({ toolsets }) => toolsets),
    tools: parts.flatMap(({ tools }) => tools),
    handlers: parts.flatMap(({ handlers }) => handlers),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    scanned: {
      folders: parts.reduce((sum, { scanned }) => sum + scanned.folders, 0),
      files: parts.reduce((sum, { scanned }) => sum + scanned.files, 0),
    },
  }
}

/** The real path of the folder that a given path means. */
async function rootAt(path: string): Promise<string> {
  const full = resolve(path)
  try {
    const stats = await stat(full)
    if (stats.isDirectory()) return await realpath(full)
    if (/^skill\.md$/i.test(basename(full))) return await realpath(dirname(full))
  } catch (error) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is nothing to read at "${path}".`, {
      facts: { path, resolved: full },
      hint: 'Give a folder that holds skills, a skill folder, or its SKILL.md.',
      cause: error,
    })
  }
  throw new WorkspaceError('PATH_NOT_A_FOLDER', `"${path}" is not a folder with skills.`, {
    facts: { path, resolved: full },
    hint: 'Give a folder that holds skills, a skill folder, or its SKILL.md.',
  })
}

/** Read one given folder; folders in `seen` were read for an earlier one. */
async function loadRoot(
  root: string,
  seen: Set<string>,
  options: ResolvedOptions,
): Promise<Loaded> {
  const walk = await walkFolders(root, options, (folder) => skillFileName(folder) === undefined)
  const diagnostics: Diagnostic[] = [...walk.diagnostics]
  const skills: Skill[] = []
  const toolsets: Toolset[] = []
  const shared: HandlerFile[] = []
  const handlers: HandlerFile[] = []
  let files = 0
  const fresh = walk.folders.filter(({ real }) => !seen.has(real))
  for (const { real } of fresh) seen.add(real)
  const results = await mapBounded(fresh, FILES_AT_ONCE, (folder) =>
    loadFolder(folder, root, options),
  )
  for (const found of results) {
    diagnostics.push(...found.diagnostics)
    if (found.skill) skills.push(found.skill)
    if (found.toolset) toolsets.push(found.toolset)
    shared.push(...found.shared)
    handlers.push(...found.handlers)
    files += found.files
  }
  return {
    skills,
    toolsets,
    tools: shared.map(({ tool }) => tool),
    handlers: [...shared, ...handlers],
    diagnostics,
    scanned: { folders: walk.folders.length, files },
  }
}

interface Found {
  readonly skill?: Skill | null
  readonly toolset?: Toolset | null
  readonly shared: readonly HandlerFile[]
  readonly handlers: readonly HandlerFile[]
  readonly diagnostics: readonly Diagnostic[]
  readonly files: number
}

async function loadFolder(folder: Folder, root: string, options: ResolvedOptions): Promise<Found> {
  const names = new Set(folder.entries.map(({ name }) => name))
  if (skillFileName(folder) !== undefined) {
    return { ...(await loadSkillFolder(folder, root, options)), shared: [] }
  }
  const boundary = options.followLinksOut ? folder.real : root
  if (names.has('TOOLSET.md')) {
    return {
      ...(await loadToolsetFile(folder, boundary, options)),
      shared: [],
      handlers: [],
      files: 1,
    }
  }
  if (names.has('schema.json') && isSharedTools(dirname(folder.path), root)) {
    const { handler, diagnostics } = await loadToolFolder(folder, boundary, root, options)
    return { shared: handler ? [handler] : [], handlers: [], diagnostics, files: 1 }
  }
  return { shared: [], handlers: [], diagnostics: [], files: 0 }
}

/** True for the folder that holds the shared tools of a given path, or is given itself. */
function isSharedTools(folder: string, root: string): boolean {
  return folder === join(root, 'tools') || (folder === root && basename(root) === 'tools')
}
