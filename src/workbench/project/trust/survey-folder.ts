import { lstatSync, statSync, type Stats } from 'node:fs'
import { listTrusted, type TrustedListing } from './trust-digest.ts'

/** The files of a trusted folder at one moment, as the file system describes them. */
export interface Survey {
  readonly listed: TrustedListing
  /** False when a file had changed so lately that it may change again without another description. */
  readonly isSettled: boolean
  readonly paths: readonly string[]
  readonly links: ReadonlySet<string>
  readonly stats: Float64Array
}

/** Milliseconds within which two changes may leave a file with the same times: FAT counts in two seconds. */
const COARSEST_TIME = 2_000

/** Describes every file and folder that trust in a folder covers, and the trust file. Throws as `trustDigest` does. */
export async function surveyFolder(folder: string, trustFile: string | null): Promise<Survey> {
  const listed = await listTrusted(folder, trustFile)
  // A link to a folder is listed as both.
  const all = new Set([...listed.folders, ...listed.files].map(({ path }) => path))
  const paths = [...all, ...(trustFile === null ? [] : [trustFile])]
  const links = new Set(
    listed.files.flatMap(({ entry, path }) => (entry.isSymbolicLink() ? [path] : [])),
  )
  const stats = new Float64Array((paths.length + links.size) * NUMBERS)
  let latest = 0
  visit(paths, links, (at, { mtimeMs, ctimeMs, size, ino, dev }) => {
    stats.set([mtimeMs, ctimeMs, size, ino, dev], at)
    latest = Math.max(latest, mtimeMs, ctimeMs)
    return true
  })
  return { listed, isSettled: latest < Date.now() - COARSEST_TIME, paths, links, stats }
}

/** Returns true when no file changed, came or went since a survey. Its price is one `stat` of each file and folder. */
export function isAsSurveyed({ paths, links, stats, isSettled }: Survey): boolean {
  const isSame = (at: number, { mtimeMs, ctimeMs, size, ino, dev }: Described) =>
    stats[at] === mtimeMs &&
    stats[at + 1] === ctimeMs &&
    stats[at + 2] === size &&
    stats[at + 3] === ino &&
    stats[at + 4] === dev
  return isSettled && visit(paths, links, isSame)
}

/** The numbers of a file of which one at least differs after a change. */
type Described = Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino' | 'dev'>

const GONE: Described = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0, dev: 0 }

const NUMBERS = Object.keys(GONE).length

/** Visits each path, and each link itself, until the visitor returns false. Returns false then. */
function visit(
  paths: readonly string[],
  links: ReadonlySet<string>,
  visitor: (at: number, one: Described) => boolean,
): boolean {
  let at = 0
  for (const path of paths) {
    if (!visitor(at, statSync(path, { throwIfNoEntry: false }) ?? GONE)) return false
    at += NUMBERS
    if (!links.has(path)) continue
    if (!visitor(at, lstatSync(path, { throwIfNoEntry: false }) ?? GONE)) return false
    at += NUMBERS
  }
  return true
}
