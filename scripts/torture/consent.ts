import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../start-postgres.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { importSession } from '../../src/connections/logs/jsonl/import-session.ts'
import { exportLog } from '../../src/connections/logs/jsonl/export-lines.ts'
import { openSessionsLog } from '../../src/connections/logs/postgres/open-postgres-log.ts'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { eventWithoutConsent } from '../../src/engine/evolve/evolve-consent.ts'
import type { ApprovalScope } from '../../src/engine/model/consent-event.ts'
import type { Entry, WorkspaceEvent } from '../../src/engine/model/workspace-event.ts'
import type { ContentHash } from '../../src/kernel/content-hash.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { sealedLog } from '../../src/workbench/project/trust/sealed-log.ts'
import { openUserSeal, type UserSeal } from '../../src/workbench/project/trust/user-seal.ts'
import type { EventLog } from '../../src/workspace/log/event-log.ts'
import { forkSession } from '../../src/workspace/log/fork-session.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const TRIES = 1_000

/** Opens sessions whose consent is not the user's, and sessions whose consent is. */
export const consent: TorturePart = {
  name: 'consent',
  claim:
    'Consent that was forged, replayed, moved, or given by another user or in another session runs nothing unasked, and the user’s own still counts.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const tries = Math.ceil(TRIES * scale)
    const failures: string[] = []
    const kinds = new Set<string>()
    let [forged, own] = [0, 0]
    await withLogs(async (logs, people) => {
      for (let at = 0; at < tries && performance.now() < until; at += 1) {
        const [place, open] = logs[at % logs.length] as (typeof logs)[number]
        const way = WAYS[dice(WAYS.length)] as Way
        const [name, attack] = ATTACK_LIST[dice(ATTACK_LIST.length)] as [string, Attack]
        const door = DOORS[dice(DOORS.length)] as Door
        const about = `${way}, ${name}, ${door.name}, ${place}`
        kinds.add(about)
        const log = await open()
        await forge(attack, { ...people, way, dice, log })
        forged += 1
        if (await isRun(log, people.bob, await door(log, people.bob)))
          failures.push(`ran unasked: ${about}`)
        const mine = await open()
        await giveConsent(sealedLog(mine, people.bob, true), way, SESSION)
        own += 1
        if (!(await isRun(mine, people.bob, SESSION)))
          failures.push(`asked again: ${way}, ${place}`)
      }
    })
    return {
      figures: {
        'sessions with consent that is not the user’s': forged,
        'different kinds of consent, attack, door and log': kinds.size,
        'sessions with consent of the user, opened again': own,
        'run unasked, or asked again': failures.length,
      },
      failures: failures.slice(0, 20),
      done: forged / tries,
    }
  },
}

const SESSION = 'one'

/** Ways in which a person consents. */
const WAYS = ['rule at the opening', 'rule', 'call', 'session'] as const
type Way = (typeof WAYS)[number]

const DEFINITION = {
  name: 'wipe',
  description: 'Wipe it.',
  risk: 'destructive',
  requiresConfirmation: true,
} as const

/** Counts no tokens: they do not matter here, and counting takes time. */
const tokenCounter = { name: 'characters', count: (text: string) => text.length }

/** Opens a session with a tool that asks, and with one that asks and does no harm. */
async function openSession(log: EventLog, session: string, rules?: object) {
  const common = { ...DEFINITION, execute: () => 'done' } as const
  return VirtualWorkspace.open({
    catalog: await createCatalog({
      tools: [
        defineTool(common),
        defineTool({ ...common, name: 'peek', description: 'Look at it.' }),
      ],
    }),
    log,
    session,
    tokenCounter,
    ...(rules && { policy: { permissions: rules } }),
  })
}

/** Consents in a session in one way. */
async function giveConsent(log: EventLog, way: Way, session: string, tool = 'wipe'): Promise<void> {
  const allow = { allow: [tool] }
  const isOpening = way === 'rule at the opening'
  const workspace = await openSession(log, session, isOpening ? allow : undefined)
  try {
    if (way === 'rule') await workspace.setPermissions(allow)
    else if (!isOpening) await approve(workspace, tool, way)
  } finally {
    await workspace.close()
  }
}

async function approve(workspace: VirtualWorkspace, tool: string, remember: ApprovalScope) {
  const id = await workspace.approvals.ask(tool, {})
  if (id === null) throw new Error(`"${tool}" is not asked about`)
  const outcome = await workspace.approve(id, { by: 'user', remember })
  if (!outcome.ok) throw new Error(outcome.message)
}

/** Opens a session as a user does, and returns true if the call runs without a question. */
async function isRun(log: EventLog, user: UserSeal, session: string): Promise<boolean> {
  const workspace = await openSession(sealedLog(log, user, true), session)
  try {
    return (await workspace.callTool('wipe', {}, { caller: 'model' })).ok
  } finally {
    await workspace.close()
  }
}

/** Ways to open a session of a log; each returns the session to call in. */
const DOORS = [
  async function open() {
    return SESSION
  },
  async function twice(log: EventLog, user: UserSeal) {
    await (await openSession(sealedLog(log, user, true), SESSION)).close()
    return SESSION
  },
  async function fork(log: EventLog, user: UserSeal) {
    await forkSession(sealedLog(log, user, true), { from: SESSION, to: 'forked' })
    return 'forked'
  },
  async function imported(log: EventLog, user: UserSeal) {
    const text = await exportLog(log, SESSION)
    await importSession(sealedLog(log, user, true), text, { as: 'imported' })
    return 'imported'
  },
]
type Door = (typeof DOORS)[number]

/** The parts that an attack starts from. */
interface Forging {
  readonly way: Way
  readonly ada: UserSeal
  readonly bob: UserSeal
  readonly dice: Dice
  /** The log that bob opens afterwards. */
  readonly log: EventLog
}

/** Returns entries of a session of bob's with consent to the call that he did not give there. */
type Attack = (forging: Forging, written: EventLog) => Promise<readonly Entry[]>

/** Consents in a log, and returns its entries. */
async function given(log: EventLog, { way }: Forging, tool = 'wipe', session = SESSION) {
  await giveConsent(log, way, session, tool)
  return log.read(session)
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  'of another user': (forging, log) => given(sealedLog(log, forging.ada, true), forging),
  'without a seal': (forging, log) => given(log, forging),
  async 'with a guessed seal'(forging, log) {
    const seal = Array.from({ length: 64 }, () => forging.dice(16).toString(16)).join('')
    return (await given(log, forging)).map((entry) => ({ ...entry, seal }))
  },
  async 'of another session'(forging, log) {
    const entries = await given(sealedLog(log, forging.bob, false), forging, 'wipe', 'two')
    return entries.map((entry) =>
      entry.event.type === 'session.opened'
        ? { ...entry, event: { ...entry.event, session: SESSION } }
        : entry,
    )
  },
  async 'at another place'(forging, log) {
    const entries = withLaterRules(await given(sealedLog(log, forging.bob, false), forging))
    const turn = { ...(entries[0] as Entry), event: { type: 'turn.begun', turn: 1 } as const }
    return entries.toSpliced(1, 0, turn).map((entry, seq) => ({ ...entry, seq }))
  },
  async 'given again after it was taken back'(forging, log) {
    const own = sealedLog(log, forging.bob, false)
    const consented = withLaterRules(await given(own, forging)).filter(allows)
    await takeBack(own, forging.way)
    const entries = await log.read(SESSION)
    return [...entries, ...consented].map((entry, seq) => ({ ...entry, seq }))
  },
  async 'to another call, with all that names it'(forging, log) {
    const entries = await given(sealedLog(log, forging.bob, false), forging, 'peek')
    return entries.map(aboutWipe)
  },
  async 'to another call, whose question it was not'(forging, log) {
    const entries = await given(sealedLog(log, forging.bob, false), forging, 'peek')
    return entries.map((entry) => (allows(entry) ? entry : aboutWipe(entry)))
  },
}

const ATTACK_LIST = Object.entries(ATTACKS)

const allows = ({ event }: Entry) => eventWithoutConsent(event) !== event

/** Returns an entry about the harmless tool as if it were about the other one. */
function aboutWipe(entry: Entry): Entry {
  const event = JSON.stringify(entry.event).replaceAll('"peek"', '"wipe"')
  return { ...entry, event: JSON.parse(event) as WorkspaceEvent }
}

/** Returns the entries with the rules of the opening in an entry of their own. */
function withLaterRules(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry): readonly Entry[] => {
    const { event, seal: _, ...rest } = entry
    if (event.type !== 'session.opened' || !allows(entry)) return [entry]
    const { policy } = event
    const without = { ...event, policy: { ...policy, allow: [] } }
    return [
      { ...rest, event: without },
      { ...entry, event: { type: 'policy.changed', policy } },
    ]
  })
}

/** Takes back what was allowed, as its user can. */
async function takeBack(log: EventLog, way: Way): Promise<void> {
  const workspace = await openSession(log, SESSION)
  if (way.startsWith('rule')) await workspace.setPermissions({ allow: [] })
  else await workspace.callTool('wipe', {}, { caller: 'model' })
  if (way === 'session') await workspace.approvals.revoke('wipe')
  await workspace.close()
}

/** Writes a session of bob's whose consent to the call he did not give. */
async function forge(attack: Attack, forging: Forging): Promise<void> {
  const written = createMemoryLog()
  const entries = await attack(forging, written)
  const hashes = JSON.stringify(entries).match(/sha256:[0-9a-f]{64}/gu) ?? []
  const definitions = await written.definitions.get(hashes as ContentHash[])
  for (const [hash, definition] of definitions) await forging.log.definitions.put(hash, definition)
  await forging.log.append(SESSION, 0, entries)
}

/** Calls with logs of each kind, empty ones each time, and with two people. */
async function withLogs(
  work: (
    logs: readonly (readonly [name: string, open: () => Promise<EventLog>])[],
    people: Pick<Forging, 'ada' | 'bob'>,
  ) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-consent-'))
  const server = await startPostgres()
  const shared = {
    SQLite: await openSqliteLog(join(folder, 'log.sqlite')),
    PostgreSQL: await openSessionsLog(server.url, {}, 0),
  }
  const emptied = (log: EventLog) => async () => {
    for (const { session } of await log.list()) await log.delete(session)
    return log
  }
  const person = (name: string) => openUserSeal(join(folder, name, 'trust.json'))
  try {
    await work(
      [
        ['memory', async () => createMemoryLog()],
        ['SQLite', emptied(shared.SQLite)],
        ['PostgreSQL', emptied(shared.PostgreSQL)],
      ],
      { ada: person('ada'), bob: person('bob') },
    )
  } finally {
    for (const log of Object.values(shared)) await log.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
