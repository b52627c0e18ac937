import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { parseToolFolder } from '../../skills/parse/parse-tool-folder.ts'
import type { ResolvedOptions } from './load-options.ts'
import type { HandlerFile } from './loaded.ts'
import { readText } from './read-text.ts'
import type { Folder } from './walk-folders.ts'

/** Names of a handler, the first that is there counts. */
const HANDLER_NAMES = ['handler.ts', 'handler.js', 'handler.mjs']

interface LoadedTool {
  readonly handler: HandlerFile | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read the tool of one folder, unbound. `boundary` is the real path of the folder that nothing
 * may be read outside of: that of the skill, or of the given path.
 */
export async function loadToolFolder(
  folder: Folder,
  boundary: string,
  root: string,
  options: ResolvedOptions,
): Promise<LoadedTool> {
  const diagnostics: Diagnostic[] = []
  const names = new Set(folder.entries.map(({ name }) => name))
  const file = join(folder.path, 'schema.json')
  const text = (name: string) =>
    names.has(name)
      ? readText(boundary, join(folder.path, name), options, diagnostics, 'warning')
      : null
  const schema = await readText(boundary, file, options, diagnostics)
  const summary = await text('doc_summary.md')
  const documentation = await text('doc.md')
  if (schema === null) return { handler: null, diagnostics }
  const parsed = parseToolFolder({
    file,
    folder: folderName(folder.path),
    schema,
    ...(summary !== null && { summary }),
    ...(documentation !== null && { documentation }),
  })
  diagnostics.push(...parsed.diagnostics)
  if (parsed.tool === null) return { handler: null, diagnostics }
  const handlers = HANDLER_NAMES.filter((name) => names.has(name))
  const [first] = handlers
  if (handlers.length > 1) {
    diagnostics.push({
      code: 'handler-ambiguous',
      severity: 'warning',
      message: `The tool has several handlers (${handlers.join(', ')}); ${first} is used.`,
      hint: 'Keep one of them.',
      file: folder.path,
    })
  }
  const path = first === undefined ? null : join(folder.real, first)
  return { handler: { tool: parsed.tool, folder: folder.path, path, root }, diagnostics }
}

function folderName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
