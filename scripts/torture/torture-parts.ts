import { attaching } from './attaching.ts'
import { changedFolders } from './changed-folders.ts'
import { conditions } from './conditions.ts'
import { consent } from './consent.ts'
import { confirmationAttacks } from './confirmations/confirmation-attacks.ts'
import { damagedLines } from './damaged-lines.ts'
import { drift } from './drift.ts'
import { firstOpens } from './first-opens.ts'
import { floods, neighbours } from './floods/floods.ts'
import { fullDisk } from './full-disk.ts'
import { hangingHosts } from './hanging-hosts.ts'
import { killedChats } from './killed-chats.ts'
import { killedServers } from './killed-servers.ts'
import { killedSteps } from './killed-steps.ts'
import { killedTasks } from './killed-tasks.ts'
import { killedWriters } from './killed-writers.ts'
import { logAlone } from './log-alone.ts'
import { manyWriters } from './many-writers.ts'
import { racingCalls } from './racing-calls.ts'
import { failingParts } from './model/failing-parts.ts'
import { interleavings } from './model/interleavings.ts'
import { modelSequences } from './model/model-sequences.ts'
import { owners } from './owners.ts'
import { routes } from './routes.ts'
import { schemas } from './schemas.ts'
import { soak } from './soak.ts'
import type { TorturePart } from './torture-part.ts'

/** The parts, in the order of the page. */
export const TORTURE_PARTS: readonly TorturePart[] = [
  killedWriters,
  firstOpens,
  manyWriters,
  racingCalls,
  hangingHosts,
  killedServers,
  killedTasks,
  killedSteps,
  killedChats,
  fullDisk,
  floods,
  neighbours,
  damagedLines,
  failingParts,
  modelSequences,
  interleavings,
  confirmationAttacks,
  consent,
  conditions,
  attaching,
  drift,
  owners,
  changedFolders,
  routes,
  schemas,
  logAlone,
  soak,
]
