import { realpath, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { defineSkill, type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { type ListedFile, parseSkillFile, type SkillFile } from '../../../entries/definitions.ts'
import { loadToolFolder } from './load-tool-folder.ts'
import { loadToolModules } from './load-tool-modules.ts'
import {
  type Found,
  type HandlerFile,
  type LoadedItem,
  NOTHING_FOUND,
  type RootContext,
  type ToolModule,
} from './loaded.ts'
import { readSidecarSchema } from './read-sidecar-schema.ts'
import { listSkillFiles, skillFileReader } from './skill-file-reader.ts'
import { namesOfServers, SERVERS_FILE, serversNextTo } from '../servers/server-source.ts'
import { isInside } from '../walk/is-inside.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { missingFromPath } from '../walk/missing-from-path.ts'
import { readText } from '../walk/read-inside.ts'
import { type Folder, walkFolders } from '../walk/walk-folders.ts'

/**
 * Reads one skill: its `SKILL.md`, the tools in `tools/<name>/` and `tools/<name>.ts`, and the list of its other files.
 *
 * The servers of a `.mcp.json` next to it come with the skill. A `lib` folder next to `tools` is code that its handlers
 * share. It is not for the model, so it is not listed. Nothing outside the skill's own folder is read, unless links may lead out.
 */
export async function loadSkillFolder(folder: Folder, context: RootContext): Promise<Found> {
  const { options, carnet } = context
  const diagnostics: Diagnostic[] = []
  const path = join(folder.path, skillFileName(folder) ?? 'SKILL.md')
  const none = async () => {
    const { folders } = await walkFolders(folder.real, options, () => true)
    for (const inner of folders) {
      const name = inner.depth === 0 ? undefined : skillFileName(inner)
      if (name === undefined) continue
      diagnostics.push(nestedSkill(join(folder.path, relative(folder.real, inner.path), name)))
    }
    const items = [{ kind: 'skill' as const, path, name: null }]
    return { ...NOTHING_FOUND, items, diagnostics, files: 1 }
  }
  const text = await readText(folder.real, path, options, diagnostics)
  if (text === null) return none()
  const sidecar = carnet && (await readSidecarSchema(folder, folder.real, options, diagnostics))
  const source = { text, file: path, folder: basename(folder.path) }
  const parsed = parseSkillFile(
    { ...source, ...(sidecar && { sidecar }) },
    carnet === null ? 'open' : 'carnet',
  )
  if (carnet === null && folder.depth > 0 && isTemplate(source.folder, parsed.definition?.name)) {
    diagnostics.push({ ...TEMPLATE, file: path })
    return { ...NOTHING_FOUND, diagnostics, files: 1 }
  }
  diagnostics.push(...parsed.diagnostics)
  const tools = await loadSkillTools(folder, path, context, parsed.topic)
  diagnostics.push(...tools.diagnostics)
  const { definition } = parsed
  if (definition === null) return none()
  const toolPaths = new Set(tools.paths)
  const servers = await serversNextTo(folder, folder.real, context, diagnostics)
  const listing = await listSkillFiles(
    folder,
    (inner) =>
      inner === basename(path) ||
      // It may have secrets, and is not for the model.
      inner === SERVERS_FILE ||
      toolPaths.has(inner) ||
      (toolPaths.size > 0 && inner === 'lib') ||
      (sidecar && inner === 'schema.json') ||
      context.excludes(join(folder.path, inner)),
    options,
  )
  diagnostics.push(...listing.diagnostics)
  const files = describeFiles(listing.files, parsed.listed, path, diagnostics)
  for (const { path: inner } of files) {
    if (basename(inner) === 'SKILL.md') diagnostics.push(nestedSkill(join(folder.path, inner)))
  }
  try {
    const missingPrograms = await missingFromPath(definition.programs ?? [])
    const skill = defineSkill({
      ...definition,
      missingPrograms,
      tools: [...tools.handlers.map(({ tool }) => tool), ...(definition.tools ?? [])],
      files,
      ...(servers && { servers: namesOfServers(servers) }),
      ...(files.length > 0 && {
        readFile: skillFileReader(definition.name, folder, files, options.followLinksOut),
      }),
      baseDirectory: folder.path,
      path,
      // A tool that could not be read is missing; the skill itself is valid.
      diagnostics: diagnostics.filter(({ severity }) => severity !== 'error'),
    })
    const items = [{ kind: 'skill' as const, path, name: skill.name }, ...tools.items]
    const { handlers, toolModules } = tools
    return {
      ...NOTHING_FOUND,
      skills: [skill],
      handlers,
      toolModules,
      serverSources: servers === null ? [] : [servers],
      items,
      diagnostics,
      files: files.length + 1,
    }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { message, hint } = error
    diagnostics.push({ code: 'skill-invalid', severity: 'error', message, hint, file: path })
    return none()
  }
}

const TEMPLATE: Diagnostic = {
  code: 'skill-template',
  severity: 'info',
  message: 'This SKILL.md is a template and not a skill: its name is not that of its folder.',
  hint: 'Give both the same name to make it a skill.',
}

function isTemplate(folder: string, name = ''): boolean {
  return name !== folder && (TEMPLATE_FOLDER.test(folder) || PLACEHOLDER.test(name))
}

/**
 * Adds the descriptions of the front matter to files, and reports listed files that do not exist.
 */
function describeFiles(
  files: readonly SkillFile[],
  listed: readonly ListedFile[],
  file: string,
  diagnostics: Diagnostic[],
): readonly SkillFile[] {
  const known = new Set(files.map(({ path }) => path))
  for (const { path, place } of listed) {
    if (known.has(path)) continue
    diagnostics.push({
      code: 'file-missing',
      severity: 'warning',
      message: `The front matter lists the file "${path}", which is not among the skill's files.`,
      hint: 'Add the file to the folder of the skill, or remove it from the list.',
      file,
      ...place,
    })
  }
  const descriptions = new Map(listed.map(({ path, description }) => [path, description]))
  return files.map((one) => {
    const description = descriptions.get(one.path)
    return description === undefined || description === '' ? one : { ...one, description }
  })
}

/** Folders that a skill is copied from, and names that stand for the name of a skill. */
const TEMPLATE_FOLDER = /^_|^(?:skill[_\-]?)?templates?$/iv
const PLACEHOLDER = /^(?:(?:my|new|your|the)-)?skill-name$/iv

function nestedSkill(file: string): Diagnostic {
  return {
    code: 'skill-nested',
    severity: 'info',
    message:
      'This SKILL.md is inside another skill: it is a file of that skill, not a skill of its own.',
    hint: 'Move its folder next to the other skill to make it a skill.',
    file,
  }
}

/**
 * Reads the tools in a skill's `tools`, unbound: folders with a `schema.json`, and files that define one tool. `paths`
 * are their folders and files, from the skill's folder. `topic` is the skill's.
 */
async function loadSkillTools(
  { real, path, entries }: Folder,
  skill: string,
  { root, options }: Pick<RootContext, 'root' | 'options'>,
  topic?: string,
) {
  const handlers: HandlerFile[] = []
  const toolModules: ToolModule[] = []
  const paths: string[] = []
  const diagnostics: Diagnostic[] = []
  const items: LoadedItem[] = []
  const tools = await skillToolsFolder(real, entries, options)
  if (tools === null) return { handlers, toolModules, paths, items, diagnostics }
  const walk = await walkFolders(tools, options, ({ depth }) => depth === 0)
  diagnostics.push(...walk.diagnostics)
  for (const folder of walk.folders) {
    if (folder.depth === 0) {
      const shown = { ...folder, path: join(path, 'tools') }
      const of = { skill, ...(topic !== undefined && { topic }) }
      const loaded = await loadToolModules(shown, real, { root, options }, of)
      paths.push(...loaded.modules.map(({ file }) => `tools/${basename(file)}`))
      diagnostics.push(...loaded.diagnostics)
      items.push(...loaded.items)
      toolModules.push(...loaded.modules)
    }
    if (folder.depth !== 1) continue
    if (!folder.entries.some(({ name }) => name === 'schema.json')) continue
    const name = basename(folder.path)
    const shown = { ...folder, path: join(path, 'tools', name) }
    const loaded = await loadToolFolder(shown, real, { root, options }, topic)
    paths.push(`tools/${name}`)
    diagnostics.push(...loaded.diagnostics)
    items.push(...loaded.items)
    handlers.push(...loaded.shared)
  }
  return { handlers, toolModules, paths, items, diagnostics }
}

/**
 * Returns the real path of a skill's `tools`; null when there is none, or when it is a link that
 * leads out.
 */
async function skillToolsFolder(
  skill: string,
  entries: Folder['entries'],
  { followLinksOut }: ResolvedOptions,
): Promise<string | null> {
  const entry = entries.find(({ name }) => name === 'tools')
  const path = join(skill, 'tools')
  if (entry?.isDirectory()) return path
  if (!entry?.isSymbolicLink()) return null
  try {
    const real = await realpath(path)
    if (!followLinksOut && !isInside(skill, real)) return null
    return (await stat(real)).isDirectory() ? real : null
  } catch {
    // The listing of files reports the link.
    return null
  }
}

/**
 * Returns the name of a folder's skill file, `SKILL.md` before `skill.md`; undefined when it has
 * none.
 */
export function skillFileName({ entries }: Pick<Folder, 'entries'>): string | undefined {
  const names = entries.map(({ name }) => name)
  return names.includes('SKILL.md') ? 'SKILL.md' : names.find((name) => name === 'skill.md')
}
