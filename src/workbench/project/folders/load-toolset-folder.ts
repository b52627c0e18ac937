import { basename, join } from 'node:path'
import {
  defineTool,
  defineToolset,
  type Diagnostic,
  type Tool,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import {
  parseToolFolder,
  parseToolsetFile,
  splitFrontMatter,
} from '../../../entries/definitions.ts'
import { type Found, joinFound, NOTHING_FOUND, type RootContext } from './loaded.ts'
import { readSidecarSchema } from './read-sidecar-schema.ts'
import { namesOfServers, serversNextTo } from '../servers/server-source.ts'
import { readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** The file in a toolset's folder that explains how its tools are used. */
const RULES = 'RULES.md'

/**
 * Reads the `TOOLSET.md` of a folder, the rules next to it, and the tools that Carnet describes
 * there.
 */
export async function loadToolsetFolder(
  folder: Folder,
  boundary: string,
  context: RootContext,
): Promise<Found> {
  const { options, keeps } = context
  const path = join(folder.path, 'TOOLSET.md')
  const described = await loadToolsetTools(folder, boundary, context, ['TOOLSET.md', RULES])
  if (!keeps(path)) return described
  const diagnostics: Diagnostic[] = []
  const inline: Tool[] = []
  const servers = await serversNextTo(folder, boundary, context, diagnostics)
  const toolset = await readToolset()
  const items = [{ kind: 'toolset' as const, path, name: toolset?.name ?? null }]
  const toolsets = toolset === null ? [] : [toolset]
  const serverSources = servers === null ? [] : [servers]
  const found = {
    ...NOTHING_FOUND,
    toolsets,
    tools: inline,
    serverSources,
    items,
    diagnostics,
    files: 1,
  }
  return joinFound([found, described])

  async function readToolset(): Promise<Toolset | null> {
    const text = await readText(boundary, path, options, diagnostics)
    if (text === null) return null
    const schema = await readSidecarSchema(folder, boundary, options, diagnostics)
    const source = { text, file: path, folder: basename(folder.path) }
    const parsed = parseToolsetFile(
      { ...source, ...(schema && { sidecar: schema }) },
      servers === null ? [] : namesOfServers(servers),
    )
    diagnostics.push(...parsed.diagnostics)
    if (parsed.definition === null) return null
    const hasRules = folder.entries.some(({ name }) => name === RULES)
    const rulesFile = join(folder.path, RULES)
    const rules = hasRules
      ? ((await readText(boundary, rulesFile, options, diagnostics, 'warning'))?.trim() ?? '')
      : ''
    try {
      // A file of the same name next to it says more.
      const known = new Set(described.tools.map(({ name }) => name))
      for (const tool of parsed.described)
        if (!known.has(tool.name)) inline.push(describedTool(tool))
      return defineToolset({ ...parsed.definition, ...(rules !== '' && { rules }), path })
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      const { message, hint } = error
      diagnostics.push({ code: 'toolset-invalid', severity: 'error', message, hint, file: path })
      return null
    }
  }
}

/** Makes a tool whose arguments and effects are unknown: the host registers its code. */
function describedTool({ name, description }: Pick<Tool, 'name' | 'description'>): Tool {
  return defineTool({
    name,
    description,
    category: 'action',
    inputSchema: { type: 'object', additionalProperties: true },
  })
}

/**
 * Reads the tools that Carnet describes next to a `TOOLSET.md`, each in a Markdown file. A file
 * without front matter describes no tool, which is reported. `skip` names other files.
 */
async function loadToolsetTools(
  folder: Folder,
  boundary: string,
  { options, keeps }: RootContext,
  skip: readonly string[],
): Promise<Found> {
  const found: Found[] = []
  for (const { name } of folder.entries) {
    const file = join(folder.path, name)
    if (!name.endsWith('.md') || skip.includes(name) || !keeps(file)) continue
    const diagnostics: Diagnostic[] = []
    const text = await readText(boundary, file, options, diagnostics)
    const split = text === null ? null : splitFrontMatter(text)
    if (split?.ok === false && split.reason === 'missing') {
      const ignored: Diagnostic = {
        code: 'toolset-file-ignored',
        severity: 'info',
        message: 'The file is next to a TOOLSET.md and has no front matter: it describes no tool.',
        hint: 'Add front matter with name and description to make it a tool.',
        file,
      }
      found.push({ ...NOTHING_FOUND, diagnostics: [ignored] })
      continue
    }
    const parsed =
      text === null
        ? null
        : parseToolFolder({ file, folder: name.slice(0, -'.md'.length), tool: { text, file } })
    const tool = parsed?.tool ?? null
    found.push({
      ...NOTHING_FOUND,
      tools: tool === null ? [] : [tool],
      items: [{ kind: 'tool', path: file, name: tool?.name ?? null }],
      diagnostics: [...diagnostics, ...(parsed?.diagnostics ?? [])],
      files: 1,
    })
  }
  return joinFound(found)
}
