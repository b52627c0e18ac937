import { samplesOf, type Samples } from '../take-samples.ts'
import { generateTools } from './generate-tools.ts'
import { ENGLISH_SETS, readSearchSet } from './read-search-set.ts'
import type { SearchEngine } from './search-engine.ts'

/** The costs of an engine with a number of tools. */
export interface SizeFigure {
  readonly engine: string
  readonly tools: number
  /** Milliseconds of one search, over all requests. */
  readonly search: { readonly p50: number; readonly p99: number }
  /** Milliseconds to build the index: the best of the builds. */
  readonly build: number
  /** Milliseconds of processor time of the shortest build: other programs on the machine add little to it. */
  readonly buildCpu: number
  /** Bytes of the built index. */
  readonly heap: number
  /** Milliseconds to add one tool and remove it; null where that takes a new index. */
  readonly addAndRemove: Samples | null
}

const EVERY = 10
const CHANGES = 300
/**
 * The number of runs of each search and each build. The fastest counts: other programs use the cores, too.
 */
const ROUNDS = 3

export async function measureSize(engine: SearchEngine, tools: number): Promise<SizeFigure> {
  const documents = generateTools(tools)
  const queries = ENGLISH_SETS.flatMap((set) =>
    readSearchSet(set).queries.filter((_, at) => at % EVERY === 0),
  ).map(({ query }) => query)
  const before = await heldBytes()
  const index = await engine.build(documents)
  const heap = (await heldBytes()) - before
  const builds: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    const before = process.cpuUsage()
    await engine.build(documents)
    builds.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    cpus.push((user + system) / 1000)
    await heldBytes()
  }
  for (const query of queries) await index.search(query, 5)
  const took: number[] = []
  for (const query of queries) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now()
      await index.search(query, 5)
      rounds.push(performance.now() - start)
    }
    took.push(Math.min(...rounds))
  }
  took.sort((a, b) => a - b)
  const at = (part: number) => Number((took[Math.floor((took.length - 1) * part)] ?? 0).toFixed(3))
  const changes: number[] = []
  for (let round = 0; round < (index.addAndRemove ? CHANGES : 0); round += 1) {
    const document = documents[(round * 7) % documents.length]
    if (document === undefined) continue
    const start = performance.now()
    await index.addAndRemove?.({ ...document, name: `new_tool_${round}` })
    changes.push(performance.now() - start)
  }
  return {
    engine: engine.name,
    tools,
    search: { p50: at(0.5), p99: at(0.99) },
    build: Number(Math.min(...builds).toFixed(1)),
    buildCpu: Number(Math.min(...cpus).toFixed(1)),
    heap,
    addAndRemove: changes.length === 0 ? null : samplesOf(changes),
  }
}

/** Bytes of objects and of typed arrays, after a collection. */
async function heldBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Run node with --expose-gc.')
  // An object that a promise of the last round refers to is free only after it.
  await new Promise(setImmediate)
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
