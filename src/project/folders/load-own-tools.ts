import { realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { isInside } from '../walk/is-inside.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { loadToolFolder } from './load-tool-folder.ts'
import type { HandlerFile, LoadedItem } from './loaded.ts'
import type { RootContext } from './root-context.ts'
import { type Folder, walkFolders } from '../walk/walk-folders.ts'

/** The tools of one skill, unbound. */
interface OwnTools {
  readonly items: readonly LoadedItem[]
  readonly handlers: readonly HandlerFile[]
  /** The folders that hold a tool, as paths from the skill's. */
  readonly folders: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Read the tools in a skill's `tools/<name>/`: folders with a `schema.json`. `topic` is the skill's. */
export async function loadOwnTools(
  { real, path, entries }: Folder,
  { root, options }: Pick<RootContext, 'root' | 'options'>,
  topic?: string,
): Promise<OwnTools> {
  const handlers: HandlerFile[] = []
  const folders: string[] = []
  const diagnostics: Diagnostic[] = []
  const items: LoadedItem[] = []
  const tools = await ownToolsFolder(real, entries, options)
  if (tools === null) return { handlers, folders, items, diagnostics }
  const walk = await walkFolders(tools, options, ({ depth }) => depth === 0)
  diagnostics.push(...walk.diagnostics)
  for (const folder of walk.folders) {
    if (folder.depth !== 1) continue
    if (!folder.entries.some(({ name }) => name === 'schema.json')) continue
    const name = basename(folder.path)
    const shown = { ...folder, path: join(path, 'tools', name) }
    const loaded = await loadToolFolder(shown, real, { root, options }, topic)
    folders.push(`tools/${name}`)
    diagnostics.push(...loaded.diagnostics)
    items.push(...loaded.items)
    handlers.push(...loaded.shared)
  }
  return { handlers, folders, items, diagnostics }
}

/** The real path of a skill's `tools`; null when there is none, or when it is a link out. */
async function ownToolsFolder(
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
