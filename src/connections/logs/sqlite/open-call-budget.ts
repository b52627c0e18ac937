import { resolve } from 'node:path'
import { WorkspaceError, type WorkspaceOptions } from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { checkIsFile, loadSqlite } from './open-database.ts'
import { notALog, retryWhileBusy } from './retry-while-busy.ts'

export interface CallBudgetOptions {
  /** Calls that a principal may make over all of its sessions. */
  readonly calls: number
  /** Milliseconds after which a principal has all of its calls again; never by default. */
  readonly everyMs?: number
  /** Milliseconds to wait for other processes; 5,000 by default. */
  readonly lockWaitMs?: number
}

const OPTIONS: OptionsOf<CallBudgetOptions> = {
  calls: 'number',
  everyMs: 'number',
  lockWaitMs: 'number',
}

type CallBudget = NonNullable<WorkspaceOptions['budget']>

/** A budget of calls in a SQLite file. */
export interface SqliteCallBudget extends CallBudget {
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Marks the file, so that no other database is taken for one: "LoBu". */
const APPLICATION_ID = 0x4c6f4275

/** Principals are JSON: that of a session without one is `null`. */
const TABLE = `CREATE TABLE IF NOT EXISTS taken (
  principal TEXT NOT NULL PRIMARY KEY,
  period INTEGER NOT NULL,
  calls INTEGER NOT NULL
) STRICT, WITHOUT ROWID`

/** One statement, so that no two processes take the last call. A clock that is set back begins no period. */
const TAKE = `INSERT INTO taken VALUES (?1, ?2, 1)
ON CONFLICT (principal) DO UPDATE
  SET calls = iif(period < ?2, 1, calls + 1), period = max(period, ?2)
  WHERE period < ?2 OR calls < ?3
RETURNING period`

const GIVE_BACK =
  'UPDATE taken SET calls = calls - 1 WHERE principal = ? AND period = ? AND calls > 0'

/**
 * Opens a budget of calls for each principal, in a SQLite file that several processes share. A file that does not exist is
 * created, and only its user may read it.
 *
 * A call that a killed process took and did not make stays taken.
 */
export async function openCallBudget(
  path: string,
  options: CallBudgetOptions,
): Promise<SqliteCallBudget> {
  const { calls, everyMs, lockWaitMs } = checkedOptions(options)
  const file = resolve(checkedText(path, 'The path of a budget'))
  checkIsFile(file, false)
  const { DatabaseSync } = loadSqlite()
  const attempt = { file, doing: 'writing', waitMs: lockWaitMs } as const
  const database = await retryWhileBusy(attempt, () => new DatabaseSync(file))
  try {
    await retryWhileBusy(attempt, () => {
      const { application_id: id } = database.prepare('PRAGMA application_id').get() ?? {}
      const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() ?? {}
      if (id !== APPLICATION_ID && (id !== 0 || count !== 0)) throw notALog(file)
      database.exec(`PRAGMA journal_mode = WAL; PRAGMA trusted_schema = OFF`)
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${TABLE}`)
    })
  } catch (error) {
    database.close()
    throw error
  }
  const [take, giveBack] = [database.prepare(TAKE), database.prepare(GIVE_BACK)]
  const close = async () => {
    if (database.isOpen) database.close()
  }
  return {
    async take({ principal }) {
      const key = JSON.stringify(principal)
      const period = everyMs === undefined ? 0 : Math.floor(Date.now() / everyMs)
      const taken = await retryWhileBusy(attempt, () => take.get(key, period, calls))
      if (taken === undefined) return null
      let isTaken = true
      return async () => {
        const give = () => void giveBack.run(key, Number(taken['period']))
        if (isTaken) await retryWhileBusy(attempt, give)
        isTaken = false
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function checkedOptions(options: CallBudgetOptions) {
  checkOptions(options, OPTIONS)
  const { calls, everyMs, lockWaitMs = 5000 } = options
  const wrong = !(Number.isSafeInteger(calls) && calls >= 0) ? 'calls' : 'everyMs'
  if (wrong === 'calls' || (everyMs !== undefined && !(everyMs >= 1))) {
    const message = `The option "${wrong}" is ${options[wrong]}.`
    const hint = 'Give a whole number of calls, and milliseconds of 1 at least.'
    throw new WorkspaceError('OPTIONS_INVALID', message, { facts: { option: wrong }, hint })
  }
  return { calls, everyMs, lockWaitMs }
}
