import { createDice, type Dice } from './create-dice.ts'
import type { BuiltIndex } from './search-engine.ts'

/** One way of calling tools by name, and its result. */
export interface ProbeFigure {
  readonly engine: string
  readonly probe: string
  /** The part of the names that were found: first of all, or among the first ten for six at once. */
  readonly found: number
}

const SIX = 6
const ROUNDS = 200

const PROBES: Readonly<Record<string, (name: string, dice: Dice) => string>> = {
  id: (name) => name,
  bare,
  spaced: (name) => bare(name).replace(/[_-]+/g, ' '),
  camelCase: (name) =>
    bare(name).replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  'one letter dropped': (name, dice) => {
    const at = dice.below(name.length)
    return name.slice(0, at) + name.slice(at + 1)
  },
}

/** Calls every tool of a set by its name, in several spellings, the same for every engine. */
export async function probeNames(
  engine: string,
  index: BuiltIndex,
  names: readonly string[],
): Promise<readonly ProbeFigure[]> {
  const figures: ProbeFigure[] = []
  for (const [probe, write] of Object.entries(PROBES)) {
    const dice = createDice(1)
    let found = 0
    for (const name of names) {
      const [first] = await index.search(write(name, dice), 10)
      if (first !== undefined && isRight(first, name, probe)) found += 1
    }
    figures.push({ engine, probe, found: Number((found / names.length).toFixed(3)) })
  }
  return [...figures, { engine, probe: 'six at once', found: await sixAtOnce(index, names) }]
}

/** Two servers may have a tool of the same bare name; either is correct when the query is only that name. */
function isRight(found: string, name: string, probe: string): boolean {
  const isFull = probe === 'id' || probe === 'one letter dropped'
  return isFull ? found === name : plain(bare(found)) === plain(bare(name))
}

async function sixAtOnce(index: BuiltIndex, names: readonly string[]): Promise<number> {
  const dice = createDice(2)
  let found = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const six = Array.from({ length: SIX }, () => names[dice.below(names.length)] ?? '')
    const results = await index.search(six.join(' '), 10)
    found += six.filter((name) => results.includes(name)).length
  }
  return Number((found / (ROUNDS * SIX)).toFixed(3))
}

function bare(name: string): string {
  return name.slice(name.indexOf('__') + 2)
}

function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase()
}
