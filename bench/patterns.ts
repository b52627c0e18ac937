import { hostileTexts } from './hostile-texts.ts'
import { SCANNERS, type Scanner } from './scanners.ts'
import { samplesOf } from './take-samples.ts'

/**
 * `npm run bench:patterns`: runs every scanner on every hostile text, and prints the worst time of each, for
 * 256 kB and for 1 MB, so that a reader can see if four times the text takes four times as long.
 *
 * No public name reaches a single scanner, so this reads the modules themselves.
 */
const TARGET_MS = 100
/** A scanner that takes longer than this for a quarter does not get the complete text. */
const HOPELESS_MS = 2_000

const quarters = hostileTexts(256 * 1024)
const whole = hostileTexts(1024 * 1024)
let missed = 0
for (const scanner of SCANNERS) {
  const scan = await load(scanner)
  const made = worstOf(scan)
  const quarter = median(scan, quarters.get(made) ?? '')
  const ms = quarter > HOPELESS_MS ? Number.POSITIVE_INFINITY : median(scan, whole.get(made) ?? '')
  if (ms > TARGET_MS) missed += 1
  const name = `${scanner.module}: ${scanner.name}`.padEnd(56)
  const times = [quarter, ms].map((time) => `${time.toFixed(1).padStart(8)} ms`).join('')
  console.log(`${name}${times} ${ms > TARGET_MS ? 'missed' : 'met   '} ${made}`)
}
console.log(
  `${SCANNERS.length} scanners, ${whole.size} texts of 1 MB: ${missed} over ${TARGET_MS} ms`,
)

type Scan = (text: string) => void

/** The scanner of the last build. An error is as good an answer as any other. */
async function load({ module, name, args }: Scanner): Promise<Scan> {
  const exported: unknown = await import(new URL(`../src/${module}.ts`, import.meta.url).href)
  const scan = (exported as Record<string, unknown>)[name]
  if (typeof scan !== 'function') throw new Error(`${module} has no ${name}. Correct the list.`)
  return (text) => {
    try {
      scan(...args(text))
    } catch {
      // A refusal.
    }
  }
}

/** Returns the text whose quarter takes longest, once the scanner is warm. */
function worstOf(scan: Scan): string {
  for (const text of quarters.values()) once(scan, text.slice(0, 4096))
  const times = [...quarters].map(([made, text]) => ({ made, ms: once(scan, text) }))
  return times.toSorted((a, b) => b.ms - a.ms)[0]?.made ?? ''
}

function median(scan: Scan, text: string): number {
  return samplesOf([once(scan, text), once(scan, text), once(scan, text)]).median
}

function once(scan: Scan, text: string): number {
  const start = performance.now()
  scan(text)
  return performance.now() - start
}
