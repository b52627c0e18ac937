import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { comparePaths, isInside } from './is-inside.ts'
import { type ResolvedOptions, SKIPPED_FOLDERS } from './load-options.ts'
import { FILES_AT_ONCE, mapBounded } from './map-bounded.ts'
import type { LinkReach } from './link-reach.ts'
import { faultDiagnostic, fileFaultFromError, linkOutside } from './read-inside.ts'

/** One folder of a walk. */
export interface Folder {
  readonly path: string
  /** Its real path if a link leads to it; otherwise the same as `path`. */
  readonly real: string
  readonly depth: number
  readonly entries: readonly Dirent[]
}

export interface FolderWalk {
  /** Sorted by path. */
  readonly folders: readonly Folder[]
  readonly diagnostics: readonly Diagnostic[]
}

type Step = Omit<Folder, 'entries'>

/**
 * Reads a folder (given as its real path) and those below it, level by level in sorted order, so
 * that a limit cuts at the same place on every machine.
 *
 * `descend` decides if the folders below a folder are read, or which of them. Linked folders come
 * after real ones, and each real folder comes once. `skip` leaves folders out by path. Links lead to what `reaches`
 * returns true for, and no folder below one is read that it does not; by default, only to folders below the root.
 */
export async function walkFolders(
  root: string,
  { limits, followLinksOut }: ResolvedOptions,
  descend: (folder: Folder) => boolean | ReadonlySet<string>,
  skip: (path: string) => boolean = (path) => SKIPPED_FOLDERS.has(basename(path)),
  reaches: LinkReach = (real) => isInside(root, real),
): Promise<FolderWalk> {
  const folders: Folder[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set([root])
  const links: { readonly path: string; readonly depth: number }[] = []
  let cut = 0
  let level: Step[] = [{ path: root, real: root, depth: 0 }]
  while (level.length > 0) {
    // The given folder itself does not count.
    const room = Math.max(0, limits.maxFolders + 1 - folders.length)
    cut += Math.max(0, level.length - room)
    const read = await mapBounded(level.slice(0, room), FILES_AT_ONCE, (step) =>
      readFolder(step, diagnostics),
    )
    level = []
    for (const folder of read) {
      if (folder === null) continue
      folders.push(folder)
      const selection = descend(folder)
      if (selection === false) continue
      for (const entry of folder.entries) {
        if (selection !== true && !selection.has(entry.name)) continue
        const path = join(folder.path, entry.name)
        if (skip(path)) continue
        const depth = folder.depth + 1
        if (entry.isSymbolicLink()) links.push({ path, depth })
        if (!entry.isDirectory()) continue
        const real = join(folder.real, entry.name)
        if (seen.has(real)) continue
        if (!followLinksOut && !isInside(root, real) && !reaches(real)) continue
        if (depth > limits.maxDepth) cut += 1
        else {
          seen.add(real)
          level.push({ path, real, depth })
        }
      }
    }
    if (level.length === 0) {
      level = await followLinks(links.splice(0), { reaches, seen, followLinksOut, diagnostics })
      const shallow = level.filter(({ depth }) => depth <= limits.maxDepth)
      cut += level.length - shallow.length
      level = shallow
    }
    level.sort((a, b) => comparePaths(a.path, b.path))
  }
  if (cut > 0) diagnostics.push(scanTruncated(root, cut, limits.maxFolders, limits.maxDepth))
  folders.sort((a, b) => comparePaths(a.path, b.path))
  return { folders, diagnostics }
}

async function readFolder(step: Step, diagnostics: Diagnostic[]): Promise<Folder | null> {
  try {
    const entries = await readdir(step.path, { withFileTypes: true })
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { ...step, entries }
  } catch (error) {
    const fault = fileFaultFromError(error)
    diagnostics.push(
      faultDiagnostic(fault.code === 'file-not-found' ? LOST : fault, 'warning', step.path),
    )
    return null
  }
}

/** The fault of a folder that was listed, and is not found by its name. */
const LOST = {
  code: 'file-unreadable',
  message: 'The folder was removed meanwhile, or its name is not UTF-8.',
  hint: 'Rename it, or read again.',
} as const

/** Returns the folders that links lead to and that were not read yet; ignores links to files. */
async function followLinks(
  links: readonly { readonly path: string; readonly depth: number }[],
  walk: {
    readonly reaches: LinkReach
    readonly seen: Set<string>
    readonly followLinksOut: boolean
    readonly diagnostics: Diagnostic[]
  },
): Promise<Step[]> {
  const steps: Step[] = []
  for (const { path, depth } of [...links].sort((a, b) => comparePaths(a.path, b.path))) {
    try {
      if (!(await stat(path)).isDirectory()) continue
      const real = await realpath(path)
      if (walk.seen.has(real)) continue
      if (!walk.followLinksOut && !walk.reaches(real)) {
        walk.diagnostics.push(faultDiagnostic(linkOutside('what is read', real), 'warning', path))
        continue
      }
      walk.seen.add(real)
      steps.push({ path, real, depth })
    } catch (error) {
      walk.diagnostics.push(faultDiagnostic(fileFaultFromError(error), 'warning', path))
    }
  }
  return steps
}

function scanTruncated(
  root: string,
  cut: number,
  maxFolders: number,
  maxDepth: number,
): Diagnostic {
  return {
    code: 'scan-cut',
    severity: 'warning',
    message: `${cut} or more folders were not read: at most ${maxFolders} are, ${maxDepth} levels deep.`,
    hint: 'Give the folders that contain the skills, or raise the limits: --max-folders and --max-depth (in code: limits.maxFolders and limits.maxDepth).',
    file: root,
  }
}
