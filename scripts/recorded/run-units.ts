import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { InstalledPackage } from './open-installed.ts'
import { readRecords } from './record-file.ts'
import { RECORDED, type RecordedUnit } from './recorded-units.ts'

/** The results of units, and what is wrong whatever was recorded. Records are named after their file, too. */
export interface UnitResults {
  readonly now: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

/** Returns the file with the records of a unit. */
export function recordsFile(file: string): string {
  return join(RECORDED, 'records', file)
}

/**
 * Runs units, several at once. The results are in the order of the units.
 *
 * @param most the number of commands of a unit that are run at most
 */
export async function runUnits(
  units: readonly RecordedUnit[],
  installed: InstalledPackage,
  most?: number,
): Promise<UnitResults> {
  const results: (readonly (readonly [string, string])[])[] = []
  const problems: string[] = []
  const left = [...units.entries()]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, { file, record }] = next
      const recordings = await record(installed, most)
      if (recordings.length === 0) problems.push(`${file}: a part recorded nothing.`)
      results[index] = recordings.map(({ name, text }) => [`${file}: ${name}`, text] as const)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const now = results.flat()
  if (new Set(now.map(([name]) => name)).size < now.length) {
    problems.push('Two records have one name.')
  }
  return { now: new Map(now), problems }
}

/** Returns the records of these files by their file and name. */
export function recordedBefore(files: Iterable<string>): ReadonlyMap<string, string> {
  return new Map(
    [...new Set(files)].flatMap((file) =>
      [...readRecords(recordsFile(file))].map(
        ([name, text]) => [`${file}: ${name}`, text] as const,
      ),
    ),
  )
}
