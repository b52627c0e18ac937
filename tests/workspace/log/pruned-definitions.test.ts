import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryLog, type EventLog } from 'loadout'
import { afterAll, expect, test } from 'vitest'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { aSkill, aWorkspace } from '../a-workspace.ts'
import { storedDefinition } from '../../../src/connections/logs/contract/event-log-case.ts'

const folder = mkdtempSync(join(tmpdir(), 'loadout-pruned-'))

const closing: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true })
})

/** Two ways to one log, as two processes have them. */
const LOGS: readonly { kind: string; two: () => Promise<readonly [EventLog, EventLog]> }[] = [
  {
    kind: 'in memory',
    two: async () => {
      const log = createMemoryLog()
      return [log, log]
    },
  },
  {
    kind: 'in SQLite',
    two: async () => {
      const open = async () => {
        const log = await openSqliteLog(join(folder, 'sessions.sqlite'))
        closing.push(() => log.close())
        return log
      }
      return [await open(), await open()]
    },
  },
]

test.each(LOGS)(
  'a process that goes on after its log $kind was pruned writes the definitions again',
  async ({ two }) => {
    const [log, other] = await two()
    const definitions = { skills: [aSkill('owls', { instructions: 'Be quiet.' })] }
    const first = await aWorkspace(definitions, { log, session: 'first' })
    await first.activateSkill('owls')
    const { hash } = first.catalog.skills.get('owls') ?? {}
    await first.close()
    await other.delete('first')
    // The skill and its tool, the listing of the catalog, and the options of the session.
    expect(await other.prune()).toMatchObject({ sessions: [], definitions: 4 })
    expect(hash && (await storedDefinition(other, hash))).toBeUndefined()

    const second = await aWorkspace(definitions, { log, session: 'second' })
    await second.activateSkill('owls')
    await second.callTool('owls_tool', {})
    expect(await other.definitions.has(second.catalog.hash)).toBe(true)
    expect(hash && (await storedDefinition(other, hash))).toMatchObject({ name: 'owls' })
    expect(await other.prune()).toMatchObject({ definitions: 0 })
    expect(hash && (await storedDefinition(other, hash))).toMatchObject({ name: 'owls' })
  },
)

test.each(LOGS)(
  'what the last command of a session names is in its log $kind, though the log was pruned before it',
  async ({ two }) => {
    const [log, other] = await two()
    const definitions = { skills: [aSkill('rooks', { instructions: 'Be quiet.' })] }
    const first = await aWorkspace(definitions, { log, session: 'before' })
    const last = await aWorkspace(definitions, { log, session: 'last one' })
    await first.activateSkill('rooks')
    await first.close()
    await other.delete('before')
    await other.prune()

    await last.activateSkill('rooks')
    const { hash } = last.catalog.skills.get('rooks') ?? {}
    expect(hash && (await storedDefinition(other, hash))).toMatchObject({ name: 'rooks' })
    await last.close()
  },
)

test.each(LOGS)(
  'a child in a log $kind is explained after its parent was deleted and the log was pruned',
  async ({ two }) => {
    const [log, other] = await two()
    const definitions = { skills: [aSkill('owls', { instructions: 'Be quiet.' }), aSkill('bats')] }
    const parent = await aWorkspace(definitions, { log, session: 'parent' })
    await parent.activateSkill('bats')
    const child = await parent.sessions.child({ session: 'child' })
    await parent.setPermissions({ deny: ['bats_tool'] })
    await child.activateSkill('owls')
    const { hash } = child.catalog.skills.get('owls') ?? {}
    const { hash: ofParent } = child.catalog.skills.get('bats') ?? {}
    await other.delete('parent')
    // The skill that only the parent had used, and its tool, and the options of the parent.
    await other.prune()
    expect(hash && (await storedDefinition(other, hash))).toMatchObject({ name: 'owls' })
    expect(ofParent && (await storedDefinition(other, ofParent))).toBeUndefined()

    // The child that is open goes on, under the rules that it recorded, and so does one that is opened later.
    expect(await child.callTool('owls_tool', {})).toMatchObject({ ok: true })
    await child.close()
    const again = await aWorkspace(definitions, { log: other, session: 'child' })
    expect(again.explainSkill('owls')).toMatchObject({ status: 'active' })
    expect(again.state.policy.above).toHaveLength(1)
    await again.activateSkill('bats')
    expect(again.explain('bats_tool')).toMatchObject({ status: 'denied' })
  },
)
