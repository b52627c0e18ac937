import { readdir } from 'node:fs/promises'
import { realInside } from './open-inside.ts'
import { isSkipped } from './skipped-names.ts'
import { stopWhenAborted } from './stop-when-aborted.ts'

/** One thing in a folder. Links are named, never followed. */
export interface WalkEntry {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** Folders deeper than this below the start are not entered. */
export const MOST_DEPTH = 32

/**
 * Everything below a folder of the root, each folder before its content, names in code unit
 * order, so that the same tree is always listed the same way. A folder that cannot be read, or
 * that became a link out of the root meanwhile, is listed as if it were empty.
 */
export async function* walk(
  root: string,
  start: string,
  depth: number,
  signal: AbortSignal,
): AsyncGenerator<WalkEntry> {
  stopWhenAborted(signal)
  const found = await realInside(root, start)
    .then((folder) => readdir(folder, { withFileTypes: true }))
    .catch(() => [])
  found.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const item of found) {
    if (isSkipped(item.name)) continue
    const path = start === '.' ? item.name : `${start}/${item.name}`
    const kind = kindOf(item)
    yield { path, kind }
    if (kind === 'folder' && depth > 1) yield* walk(root, path, depth - 1, signal)
  }
}

function kindOf(item: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): WalkEntry['kind'] {
  if (item.isFile()) return 'file'
  if (item.isDirectory()) return 'folder'
  return item.isSymbolicLink() ? 'link' : 'other'
}
