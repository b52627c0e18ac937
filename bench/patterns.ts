import { hostileTexts } from './hostile-texts.ts'
import { SCANNERS, type Scanner } from './scanners.ts'
import { samplesOf } from './take-samples.ts'

/**
 * `npm run bench:patterns`: every scanner on every hostile text; the worst of each is printed, for
 * 256 kB and for 1 MB, so that one can see whether four times the text takes four times as long.
 *
 * No public name reaches one scanner alone, so this reads the modules themselves.
 */
const TARGET_MS = 100
/** One that takes longer than this for a quarter is not given the whole. */
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

/** The scanner of the last build; what it throws of a text is an answer as good as any. */
async function load({ module, name, args }: Scanner): Promise<Scan> {
  const exported: unknown = await import(new URL(`../src/${module}.ts`, import.meta.url).href)
  const scan = (exported as Record<string, unknown>)[name]
  if (typeof scan !== 'function') throw new Error(`${module} has no ${name}: mend the list.`)
  return (text) => {
    try {
      scan(...args(text))
    } catch {
      // A refusal.
    }
  }
}

/** The text a quarter of which takes longest, once the scanner is warm. */
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
