import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { openTill, pay } from './open-till.ts'

/** The result of one order in a racing process. */
export interface RacerMessage {
  /** True when its call succeeded. */
  readonly ok: boolean
  /** The number of times its handler ran. */
  readonly paid: number
}

/** Opens the session of a log, and pays each order that it receives. */
const [file = ''] = process.argv.slice(2)
let paid = 0
const till = await openTill(await openSqliteLog(file), () => {
  paid += 1
})
process.on('message', (order: string) => {
  paid = 0
  void pay(till, order).then(({ ok }) => process.send?.({ ok, paid } satisfies RacerMessage))
})
process.send?.('ready')
