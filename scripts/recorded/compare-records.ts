import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RECORDED } from './recorded-units.ts'

/** A difference that is wanted: the record, the digest of its text now, and the reason. */
interface Explained {
  /** The file and the name of the record: `desk.txt: [definitions of the desk] loadout list`. */
  readonly record: string
  readonly now: string
  readonly why: string
}

/** A record that changed, or a line that explains nothing. */
export interface Difference {
  readonly record: string
  readonly problem: string
  /** The recorded text and the new one, if both are there. */
  readonly texts?: readonly [string, string]
}

/** The results of a comparison. */
export interface Comparison {
  readonly equal: number
  readonly explained: number
  readonly differences: readonly Difference[]
}

/** Reads `tests/recorded/differences.json`. */
export function readExplained(): readonly Explained[] {
  const file = join(RECORDED, 'differences.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

/**
 * Compares what was recorded with what is there now, by the names of records.
 *
 * @param all false when only a part was run: what was not run is then not missing
 */
export function compareRecords(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  explained: readonly Explained[],
  all: boolean,
): Comparison {
  const differences: Difference[] = []
  const reasons = new Map(explained.map((line) => [line.record, line]))
  let [equal, used] = [0, 0]
  for (const [record, text] of now) {
    const known = before.get(record)
    const reason = reasons.get(record)
    if (known === text) {
      if (reason === undefined) equal += 1
      else
        differences.push({ record, problem: 'is equal again: delete its line in differences.json' })
    } else if (known === undefined) {
      differences.push({ record, problem: 'is not recorded: npm run recorded -- --write' })
    } else if (record.startsWith(STORED) && notices(known) !== notices(text)) {
      differences.push({ record, problem: 'prints other notices', texts: [known, text] })
    } else if (reason?.now === digest(text) && reason.why.trim() !== '') used += 1
    else {
      const digests = reason === undefined ? '' : ', and not as its line in differences.json says'
      const problem = `differs${digests} (now ${digest(text)})`
      differences.push({ record, problem, texts: [known, text] })
    }
  }
  if (all) {
    for (const record of before.keys()) {
      if (!now.has(record))
        differences.push({ record, problem: 'is recorded, and nothing makes it' })
    }
    for (const record of reasons.keys()) {
      if (!now.has(record))
        differences.push({ record, problem: 'is explained, and nothing makes it' })
    }
  }
  return { equal, explained: used, differences }
}

/** Checks of what an earlier version stored: another notice is never explained. */
const STORED = 'stored.txt: '

/** Returns the part of a record that was printed on stderr. */
function notices(text: string): string {
  return text.split('\n--- stderr\n')[1] ?? ''
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
