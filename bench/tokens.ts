import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { hostileTexts } from './hostile-texts.ts'
import { samplesOf } from './take-samples.ts'

/**
 * `npm run bench:tokens`: counts 1 MB of each hostile text with every counter, and prints the processor time
 * for a quarter and for all of it: counting does not wait, and other processes do not change the figure. No
 * public name reaches a counter, so this reads the modules themselves.
 */
const TARGET_MS = 150
const SIZE = 1024 * 1024

const RUNS = {
  letters: 'a',
  spaces: ' ',
  punctuation: '!',
  emoji: '😀',
  ideographs: '漢',
}

const texts = new Map<string, string>([
  ...Object.entries(RUNS).map(([name, piece]) => [`one run of ${name}`, repeated(piece)] as const),
  ['base64', base64()],
  [
    'one run of base64 letters',
    base64()
      .toLowerCase()
      .replaceAll(/[^a-z]/g, 'x'),
  ],
  ['one unknown word again and again', repeated('Loadoutish ')],
  ...hostileTexts(SIZE),
])

interface Counter {
  count(text: string): number
}

const load = async (module: string): Promise<Record<string, unknown>> =>
  import(new URL(`../src/${module}.ts`, import.meta.url).href)
const { o200kCounter } = (await load('workspace/open/o200k-counter')) as {
  o200kCounter: () => Promise<Counter>
}
const { openCachedCounter } = (await load('workbench/project/open-cached-counter')) as {
  openCachedCounter: (file: string) => Counter
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-tokens-'))
const counters = {
  session: await o200kCounter(),
  // Reads no counts: its file does not exist.
  command: openCachedCounter(join(folder, 'token-counts')),
}
rmSync(folder, { recursive: true })

let missed = 0
for (const [which, counter] of Object.entries(counters)) {
  counter.count('The first count loads the vocabulary.')
  for (const [name, text] of texts) {
    // Each time another beginning, so that nothing is read from a memo of texts.
    const times = (part: string) =>
      samplesOf([1, 2, 3].map((run) => timed(() => counter.count(`${run} ${part}`)))).median
    const quarter = times(text.slice(0, SIZE / 4))
    const ms = times(text)
    if (ms > TARGET_MS) missed += 1
    const shown = [quarter, ms].map((time) => `${time.toFixed(1).padStart(8)} ms`).join('')
    console.log(`${which.padEnd(8)} ${shown} ${ms > TARGET_MS ? 'missed' : 'met   '} ${name}`)
  }
}
console.log(`${texts.size} texts of 1 MB, 2 counters: ${missed} over ${TARGET_MS} ms`)

function timed(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(SIZE / piece.length))
}

/** Bytes without a pattern, the same in each run. */
function base64(): string {
  const digests: string[] = []
  for (let at = 0; at * 64 < SIZE; at += 1) {
    digests.push(createHash('sha512').update(String(at)).digest('base64').slice(0, 64))
  }
  return digests.join('')
}
