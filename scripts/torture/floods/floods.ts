import type { TorturePart } from '../torture-part.ts'
import { FLOODS_OF_MODELS, floodByModel } from './flooded-chat.ts'
import { FLOODS_OF_CLIENTS, floodByClient } from './flooded-endpoint.ts'
import {
  type FloodLength,
  type FloodResult,
  FLOODS_OF_SERVERS,
  floodByServer,
} from './flooded-session.ts'

/** Seconds of each flood. */
const SECONDS = 60

/** Calls of others during a flood of a small run, which is measured by counts. */
const CALLS = 3

/** Bytes that a log may have more after a flood. */
const MOST_GROWN = 2_097_152

type Flooding = (kind: string, length: FloodLength) => Promise<FloodResult>

/** Runs each flood, one after another, and adds the results. */
async function runFloods(
  floods: readonly (readonly [kind: string, flood: Flooding])[],
  scale: number,
  until: number,
) {
  const failures: string[] = []
  let grown = 0
  let longestStop = 0
  let longest = { work: 0, kind: '' }
  let calls = 0
  let run = 0
  const length =
    scale < 0.01
      ? { forMs: Infinity, calls: CALLS }
      : { forMs: SECONDS * 1_000 * scale, calls: Infinity }
  for (const [kind, flood] of floods) {
    if (performance.now() > until) break
    const result = await flood(kind, length)
    run += 1
    calls += result.calls
    grown = Math.max(grown, result.grown)
    longestStop = Math.max(longestStop, result.longestStop)
    if (result.longestWork > longest.work) longest = { work: result.longestWork, kind }
    failures.push(...result.failures.map((failure) => `${kind}: ${failure}`))
    if (result.grown > MOST_GROWN) failures.push(`${kind}: ${result.grown} bytes are kept`)
  }
  const figures = {
    'kinds of floods': run,
    'seconds of each': scale < 0.01 ? 'by counts' : SECONDS * scale,
    'bytes that the log and the messages grew, at most': grown,
    'longest stop of the event loop, in milliseconds': longestStop,
    'longest work without a break, in milliseconds of the processor': longest.work,
    'the flood with that work': longest.kind,
    'calls of others meanwhile': calls,
    'calls that failed, and sessions that did not open again': failures.length,
  }
  return { figures, failures, done: run / floods.length }
}

/** Lets servers and models send without an end, in each way that is known. */
export const floods: TorturePart = {
  name: 'floods',
  claim:
    'Servers and models that send without an end are stopped by a budget, nothing of the flood is kept, and the session goes on and opens again.',
  run: ({ scale, forMs }) =>
    runFloods(
      [
        ...FLOODS_OF_SERVERS.map((kind) => [kind, floodByServer] as const),
        ...FLOODS_OF_MODELS.map((kind) => [kind, floodByModel] as const),
      ],
      scale,
      performance.now() + forMs,
    ),
}

/** Lets one client of a server of ours flood it while another works. */
export const neighbours: TorturePart = {
  name: 'neighbours',
  claim: 'A client that floods a server of ours ends no call, question or connection of another.',
  run: ({ scale, forMs }) =>
    runFloods(
      FLOODS_OF_CLIENTS.map((kind) => [kind, floodByClient] as const),
      scale,
      performance.now() + forMs,
    ),
}
