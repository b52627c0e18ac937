import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Bytes of heap that are in use once nothing is left to collect. */
export async function steadyHeap(): Promise<number> {
  setFlagsFromString('--expose-gc')
  collect ??= runInNewContext('gc') as () => void
  // What finalizers let go is collected by the next round.
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}
