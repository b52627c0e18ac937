import { basename, join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineToolset } from '../../tools/define-toolset.ts'
import type { Toolset } from '../../tools/toolset.ts'
import { parseToolsetFile } from '../../skills/parse/parse-toolset-file.ts'
import { type Found, joinFound, NOTHING_FOUND } from './found.ts'
import { loadToolsetTools } from './load-toolset-tools.ts'
import { readBeside } from './read-sidecar-schema.ts'
import { readText } from '../walk/read-text.ts'
import type { RootContext } from './root-context.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Its name in a toolset's folder: how the tools of the toolset are to be used. */
const RULES = 'RULES.md'

/** Read the `TOOLSET.md` of a folder, the rules beside it, and the tools Carnet describes there. */
export async function loadToolsetFolder(
  folder: Folder,
  boundary: string,
  context: RootContext,
): Promise<Found> {
  const { options, keeps } = context
  const path = join(folder.path, 'TOOLSET.md')
  const beside = await loadToolsetTools(folder, boundary, context, ['TOOLSET.md', RULES])
  if (!keeps(path)) return beside
  const diagnostics: Diagnostic[] = []
  const toolset = await readToolset()
  const items = [{ kind: 'toolset' as const, path, name: toolset?.name ?? null }]
  const toolsets = toolset === null ? [] : [toolset]
  return joinFound([{ ...NOTHING_FOUND, toolsets, items, diagnostics, files: 1 }, beside])

  async function readToolset(): Promise<Toolset | null> {
    const text = await readText(boundary, path, options, diagnostics)
    if (text === null) return null
    const schema = await readBeside(folder, boundary, options, diagnostics)
    const source = { text, file: path, folder: basename(folder.path) }
    const parsed = parseToolsetFile({ ...source, ...(schema && { beside: schema }) })
    diagnostics.push(...parsed.diagnostics)
    if (parsed.definition === null) return null
    const rules = await readRules()
    try {
      return defineToolset({ ...parsed.definition, ...(rules !== '' && { rules }), path })
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      const { message, hint } = error
      diagnostics.push({ code: 'toolset-invalid', severity: 'error', message, hint, file: path })
      return null
    }
  }

  async function readRules(): Promise<string> {
    if (!folder.entries.some(({ name }) => name === RULES)) return ''
    const file = join(folder.path, RULES)
    return (await readText(boundary, file, options, diagnostics, 'warning'))?.trim() ?? ''
  }
}
