import { openSqliteLog } from '../../../src/adapters/logs/sqlite/open-sqlite-log.ts'
import { openTill, pay } from './open-till.ts'

/** What a racing process did about one order. */
export interface RacerMessage {
  /** Its call was answered with success. */
  readonly ok: boolean
  /** How often its handler ran. */
  readonly paid: number
}

/** Takes the session of a log up, and pays each order it is told of. */
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
