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
  const stats = new Float64Array((paths.length + links.size) * DESCRIBED)
  let latest = 0
  describe(paths, links, (at, one) => {
    describeOne(one).forEach((number, index) => (stats[at + index] = number))
    latest = Math.max(latest, one.mtimeMs, one.ctimeMs)
    return true
  })
  return { listed, isSettled: latest < Date.now() - COARSEST_TIME, paths, links, stats }
}

/** Returns true when no file changed, came or went since a survey. Its price is one `stat` of each file and folder. */
export function isAsSurveyed({ paths, links, stats, isSettled }: Survey): boolean {
  return (
    isSettled &&
    describe(paths, links, (at, one) =>
      describeOne(one).every((number, index) => stats[at + index] === number),
    )
  )
}

type Described = Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino' | 'dev'>

const GONE: Described = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0, dev: 0 }

/** Returns the numbers of which one at least differs after a change. */
function describeOne({ mtimeMs, ctimeMs, size, ino, dev }: Described): readonly number[] {
  return [mtimeMs, ctimeMs, size, ino, dev]
}

const DESCRIBED = describeOne(GONE).length

/** Visits each path, and each link itself, until the visitor returns false. Returns false then. */
function describe(
  paths: readonly string[],
  links: ReadonlySet<string>,
  visit: (at: number, one: Described) => boolean,
): boolean {
  let at = -DESCRIBED
  const isSeen = (stats: Described = GONE) => visit((at += DESCRIBED), stats)
  return paths.every(
    (path) =>
      isSeen(statSync(path, { throwIfNoEntry: false })) &&
      (!links.has(path) || isSeen(lstatSync(path, { throwIfNoEntry: false }))),
  )
}
