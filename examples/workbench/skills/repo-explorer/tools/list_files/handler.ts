import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from 'loadout'
import { fitsGlob } from '../../lib/glob.ts'
import { innerPath } from '../../lib/inner-path.ts'
import { realInside } from '../../lib/open-inside.ts'
import { rootFolder, type ExplorerContext } from '../../lib/root-folder.ts'
import { MOST_DEPTH, walk, type WalkEntry } from '../../lib/walk.ts'

interface Input {
  readonly path?: string
  readonly glob?: string
  readonly depth?: number
  readonly limit?: number
}

interface Output {
  readonly path: string
  readonly entries: readonly (WalkEntry & { readonly size?: number })[]
  readonly complete: boolean
  readonly note?: string
}

/** Entries looked at in one call, whether they fit the pattern or not. */
const MOST_VISITED = 20_000

export async function execute(input: Input, context: ExplorerContext): Promise<Output> {
  const { path = '.', glob, depth = glob === undefined ? 2 : MOST_DEPTH, limit = 200 } = input
  const root = await rootFolder(context)
  const start = innerPath(path)
  if (!(await stat(await realInside(root, start))).isDirectory()) {
    throw new ToolError('VALIDATION', `"${path}" is not a folder; read_file reads files.`)
  }
  const entries: (WalkEntry & { size?: number })[] = []
  let visited = 0
  for await (const entry of walk(root, start, depth, context.signal)) {
    visited += 1
    const fits = glob === undefined || (entry.kind !== 'folder' && fitsGlob(entry.path, glob))
    if (visited > MOST_VISITED || (fits && entries.length === limit)) {
      const note = `Cut after ${entries.length} entries. Give a deeper path, a glob or a higher limit.`
      return { path: start, entries, complete: false, note }
    }
    if (!fits) continue
    entries.push(entry.kind === 'file' ? { ...entry, ...(await sizeOf(root, entry)) } : entry)
  }
  return { path: start, entries, complete: true }
}

/** A file that went away since it was listed simply has no size. */
async function sizeOf(root: string, entry: WalkEntry): Promise<{ size?: number }> {
  return stat(join(root, entry.path)).then(
    ({ size }) => ({ size }),
    () => ({}),
  )
}
