import { basename, join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineToolset } from '../../registry/define-toolset.ts'
import type { Toolset } from '../../registry/toolset.ts'
import { parseToolsetFile } from '../../skills/parse/parse-toolset-file.ts'
import type { ResolvedOptions } from './load-options.ts'
import { readText } from './read-text.ts'
import type { Folder } from './walk-folders.ts'

/** Read the `TOOLSET.md` of a folder; null when an error keeps it from loading. */
export async function loadToolsetFile(
  folder: Folder,
  boundary: string,
  options: ResolvedOptions,
): Promise<{ readonly toolset: Toolset | null; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const path = join(folder.path, 'TOOLSET.md')
  const text = await readText(boundary, path, options, diagnostics)
  if (text === null) return { toolset: null, diagnostics }
  const parsed = parseToolsetFile({ text, file: path, folder: basename(folder.path) })
  diagnostics.push(...parsed.diagnostics)
  if (parsed.definition === null) return { toolset: null, diagnostics }
  try {
    return { toolset: defineToolset({ ...parsed.definition, path }), diagnostics }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { message, hint } = error
    diagnostics.push({ code: 'toolset-invalid', severity: 'error', message, hint, file: path })
    return { toolset: null, diagnostics }
  }
}
