import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { TokenCounter } from '../../entries/index.ts'
import { tokenDigest } from '../../entries/manifest.ts'
import { linearCounter } from '../../entries/plan.ts'
import type * as o200k from '../../workspace/open/o200k-vocabulary.ts'
import { makeFolder } from './walk/make-folder.ts'

const require = createRequire(import.meta.url)

/** The build has it in another place: see scripts/build.ts. */
const VOCABULARY = '../../workspace/open/o200k-vocabulary.ts'

/** Number of counts to keep: those used last. Reading a larger file takes longer than it saves. */
const MAX_COUNTS = 20_000
/** Maximum bytes of the file; the files written here are smaller. */
const MAX_FILE_BYTES = 2 ** 21
const TOKENIZER = 'o200k_base'
/** A file with another first line is not read. */
const HEADING = `counts 1 ${TOKENIZER}`
const LINE = /^([0-9a-f]{32}) (\d{1,9})$/

/**
 * Counts with `o200k_base` and reads counts of earlier runs from a file. The tokenizer takes a
 * tenth of a second to load, so it is loaded at the first unknown text: a command that runs again
 * on the same skills never needs it.
 *
 * @param file only read here; it need not exist, and invalid lines are ignored. `keep` writes new counts in one step; a
 *   file that cannot be written is not changed
 */
export function openCachedCounter(file: string): TokenCounter & { keep(): void } {
  const before = readCounts(file)
  const used = new Map<string, number>()
  const counter = linearCounter(() => (require(VOCABULARY) as typeof o200k).o200kVocabulary)
  let isNew = false
  return {
    ...counter,
    count(text) {
      const digest = tokenDigest(text)
      let count = used.get(digest) ?? before.get(digest)
      if (count === undefined) {
        count = counter.count(text)
        isNew = true
      }
      used.set(digest, count)
      const [oldest] = used.size > MAX_COUNTS ? used.keys() : []
      if (oldest !== undefined) used.delete(oldest)
      return count
    },
    keep() {
      if (!isNew) return
      const older = [...before].filter(([digest]) => !used.has(digest))
      const lines = [...older, ...used].slice(-MAX_COUNTS).map((one) => one.join(' '))
      replace(file, [HEADING, ...lines, ''].join('\n'))
      isNew = false
    },
  }
}

function readCounts(file: string): ReadonlyMap<string, number> {
  const [heading, ...lines] = readText(file).split('\n')
  if (heading !== HEADING) return new Map()
  const counts = lines.flatMap((line): readonly [string, number][] => {
    const [, digest = '', count] = LINE.exec(line) ?? []
    return count === undefined ? [] : [[digest, Number(count)]]
  })
  return new Map(counts)
}

function readText(file: string): string {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

/**
 * Synchronous, because it runs when the process ends. Errors are ignored: everything can be counted
 * again.
 */
function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  try {
    makeFolder(dirname(file), 0o700)
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  } catch {
    return
  }
  try {
    renameSync(draft, file)
  } catch {
    rmSync(draft, { force: true })
  }
}
