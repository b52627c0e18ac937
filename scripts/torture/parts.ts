import { confirmationAttacks } from './confirmations/confirmation-attacks.ts'
import { damagedLines } from './damaged-lines.ts'
import { drift } from './drift.ts'
import { fullDisk } from './full-disk.ts'
import { killedServers } from './killed-servers.ts'
import { killedWriters } from './killed-writers.ts'
import { manyWriters } from './many-writers.ts'
import { failingParts } from './model/failing-parts.ts'
import { interleavings } from './model/interleavings.ts'
import { modelSequences } from './model/model-sequences.ts'
import { soak } from './soak.ts'
import type { TorturePart } from './torture-part.ts'

/** Every part, in the order it is run and told. */
export const PARTS: readonly TorturePart[] = [
  killedWriters,
  manyWriters,
  killedServers,
  fullDisk,
  damagedLines,
  failingParts,
  modelSequences,
  interleavings,
  confirmationAttacks,
  drift,
  soak,
]
