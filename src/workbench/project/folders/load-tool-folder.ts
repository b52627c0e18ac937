import { basename, join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { parseToolFolder } from '../../../entries/definitions.ts'
import { type Found, NOTHING_FOUND, type RootContext } from './loaded.ts'
import { readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** File names of a handler; the first that exists is used. */
const HANDLER_NAMES = ['handler.ts', 'handler.js', 'handler.mjs']

/**
 * Reads the tool of one folder, unbound: `schema.json`, or a `TOOL.md`, or both. `boundary` is the
 * real path of the folder outside which nothing is read: that of the skill, or of the given path.
 * `topic` is the topic of tools that name none.
 */
export async function loadToolFolder(
  folder: Folder,
  boundary: string,
  { root, options }: Pick<RootContext, 'root' | 'options'>,
  topic?: string,
): Promise<Found> {
  const diagnostics: Diagnostic[] = []
  const names = new Set(folder.entries.map(({ name }) => name))
  const read = async (name: string, severity: 'error' | 'warning') => {
    if (!names.has(name)) return undefined
    const path = join(folder.path, name)
    return (await readText(boundary, path, options, diagnostics, severity)) ?? null
  }
  const file = join(folder.path, names.has('schema.json') ? 'schema.json' : 'TOOL.md')
  const unread = () => ({
    ...NOTHING_FOUND,
    items: [{ kind: 'tool' as const, path: file, name: null }],
    diagnostics,
    files: 1,
  })
  const schema = await read('schema.json', 'error')
  const described = await read('TOOL.md', 'error')
  const summary = await read('doc_summary.md', 'warning')
  const documentation = await read('doc.md', 'warning')
  const guide = documentation === undefined ? await read('guide.md', 'warning') : undefined
  if (schema === null || described === null) return unread()
  const parsed = parseToolFolder({
    file,
    folder: basename(folder.path),
    ...(schema !== undefined && { schema }),
    ...(described !== undefined && {
      tool: { text: described, file: join(folder.path, 'TOOL.md') },
    }),
    ...(typeof summary === 'string' && { summary }),
    ...(typeof documentation === 'string' && { documentation }),
    ...(typeof guide === 'string' && { guide }),
    ...(topic !== undefined && { topic }),
  })
  diagnostics.push(...parsed.diagnostics)
  const { tool } = parsed
  if (tool === null) return unread()
  const items = [{ kind: 'tool' as const, path: file, name: tool.name }]
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
  if (schema === undefined && first === undefined) {
    return { ...NOTHING_FOUND, tools: [tool], items, diagnostics, files: 1 }
  }
  const path = first === undefined ? null : join(folder.real, first)
  const shared = [{ tool, file, folder: folder.path, path, root }]
  return { ...NOTHING_FOUND, shared, items, diagnostics, files: 1 }
}
