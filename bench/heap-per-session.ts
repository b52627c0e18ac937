import { samplesOf, type Samples } from './take-samples.ts'

const SESSIONS = 10_000
const ROUNDS = 3

/** Returns the bytes of heap of an idle session: the mean of 10,000 that are all open at once. */
export async function heapPerSession(open: () => Promise<unknown>): Promise<Samples> {
  const values: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) values.push(await weigh(open))
  return samplesOf(values)
}

/** A separate function, so that no variable of one round keeps the sessions of the last. */
async function weigh(open: () => Promise<unknown>): Promise<number> {
  const before = await heapAfterCollection()
  const sessions: unknown[] = []
  for (let index = 0; index < SESSIONS; index += 1) sessions.push(await open())
  return ((await heapAfterCollection()) - before) / sessions.length
}

async function heapAfterCollection(): Promise<number> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('Run the bench with --expose-gc: it weighs sessions.')
  await new Promise(setImmediate)
  gc()
  return process.memoryUsage().heapUsed
}
