import { VirtualWorkspace, type Catalog, type Entry, type EventLog } from 'loadout'
import { samplesOf, takeSamples } from './take-samples.ts'

export interface SessionFigure {
  readonly log: string
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'a second'
}

const APPENDS = 1_000
const AT_ONCE = 8
const LONG = 10_000
const ROUNDS = 3

/** Measures appends, of one session and of many at once; then the time to resume a session. */
export async function measureSessions(
  name: string,
  log: EventLog,
  catalog: Catalog,
): Promise<readonly SessionFigure[]> {
  const figures: SessionFigure[] = []
  const put = (what: string, value: number, unit: SessionFigure['unit']) =>
    figures.push({ log: name, what, value: Number(value.toPrecision(3)), unit })

  const alone: number[] = []
  const together: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(APPENDS / (await seconds(() => write(log, `alone ${round}`))))
    const all = Array.from({ length: AT_ONCE }, (_, index) => write(log, `${round} ${index}`))
    together.push((APPENDS * AT_ONCE) / (await seconds(() => Promise.all(all))))
  }
  put('appends of one session', samplesOf(alone).median, 'a second')
  put(`appends of ${AT_ONCE} sessions at once`, samplesOf(together).median, 'a second')

  for (const entries of [1_000, LONG]) {
    const session = `of ${entries}`
    await lengthen(log, catalog, session, entries)
    put(
      `resume ${entries.toLocaleString('en')} entries, folded`,
      await resume(log, catalog, session),
      'ms',
    )
  }
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session: `of ${LONG}`,
    metaTools: [],
    limits: { snapshotEvery: 1 },
  })
  await workspace.beginTurn()
  await workspace.close()
  put(
    `resume ${LONG.toLocaleString('en')} entries, from a snapshot`,
    await resume(log, catalog, `of ${LONG}`),
    'ms',
  )
  return figures
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

async function write(log: EventLog, session: string): Promise<void> {
  for (let seq = 0; seq < APPENDS; seq += 1) await log.append(session, seq, [anEntry(seq)])
}

/** A session that was opened normally, and has many entries. */
async function lengthen(
  log: EventLog,
  catalog: Catalog,
  session: string,
  length: number,
): Promise<void> {
  await (await VirtualWorkspace.open({ catalog, log, session, metaTools: [] })).close()
  const { length: first } = await log.read(session)
  const entries = Array.from({ length: length - first }, (_, index) => anEntry(first + index))
  for (let at = 0; at < entries.length; at += 500) {
    await log.append(session, first + at, entries.slice(at, at + 500))
  }
}

/** Milliseconds until a workspace is ready with the session's state. */
async function resume(log: EventLog, catalog: Catalog, session: string): Promise<number> {
  const open = async () => {
    const options = { catalog, log, session, metaTools: [], readOnly: true }
    await (await VirtualWorkspace.open(options)).close()
  }
  return (await takeSamples(open, { runs: 20 })).median
}

/** About the size of the entries of a step: some hundred bytes. */
function anEntry(seq: number): Entry {
  const state = { note: `note ${seq}`.padEnd(300, '.') }
  return {
    seq,
    at: 1_700_000_000_000 + seq,
    cause: { by: 'host' },
    event: { type: 'component.updated', component: 'notes', state },
  }
}
