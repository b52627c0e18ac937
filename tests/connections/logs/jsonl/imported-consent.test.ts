import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createCatalog,
  createMemoryLog,
  defineTool,
  type EventLog,
  succeed,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { exportLog, importSession } from 'loadout/node'
import { expect, test } from 'vitest'
import { copySession } from '../../../../src/connections/logs/jsonl/import-session.ts'
import { fold } from '../../../../src/engine/evolve/evolve.ts'
import type { WorkspaceState } from '../../../../src/engine/model/workspace-state.ts'
import { runCommand } from '../../../workbench/cli/run-command.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const asking = (name: string) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    risk: 'destructive',
    requiresConfirmation: true,
    execute: () => name,
  })

const catalog = await createCatalog({
  tools: ['remembered', 'allowed', 'approved', 'asked', 'denied'].map(asking),
})

const open = (options: Omit<WorkspaceOptions, 'catalog'>) =>
  VirtualWorkspace.open({ catalog, metaTools: [], ...options })

/** The text of a session that has every kind of consent, and then some turns. */
async function consentingText(turns = 0): Promise<string> {
  const log = createMemoryLog()
  const workspace = await open({
    log,
    session: 's',
    policy: { permissions: { allow: ['allowed'], deny: ['x'], allowedTools: 'pre-approve' } },
  })
  for (const tool of ['remembered', 'approved', 'asked', 'denied']) {
    const answer = await workspace.callTool(tool, {})
    const id = answer.ok ? '' : String(answer.error.details['confirmation'])
    if (tool === 'remembered') await workspace.approve(id, { remember: 'session' })
    if (tool === 'approved') await workspace.approve(id)
    if (tool === 'denied') await workspace.deny(id)
  }
  for (let turn = 0; turn < turns; turn += 1) await workspace.beginTurn()
  return exportLog(log, 's')
}

async function* lines(text: string) {
  for (const line of text.split(/(?<=\n)/)) yield line
}

test('an import that ends before its last entry leaves nothing that allows a call', async () => {
  const log = createMemoryLog()
  const left: WorkspaceState[] = []
  const killedAnywhere: EventLog = {
    ...log,
    append: async (session, version, entries, last) => {
      await log.append(session, version, entries, last)
      left.push(fold(await log.read(session)))
    },
  }
  const text = await consentingText(2_500)
  expect(await importSession(killedAnywhere, lines(text))).toMatchObject({ session: 's' })
  expect(left.length).toBeGreaterThan(0)
  for (const { approvals, confirmations, policy } of left) {
    expect({ approvals, allow: policy.allow, effect: policy.allowedTools }).toEqual({
      approvals: [],
      allow: [],
      effect: 'ignore',
    })
    expect(confirmations.filter(({ consent }) => consent !== 'denied')).toEqual([])
  }
})

test.each(['remembered', 'allowed', 'approved', 'asked'])(
  'a destructive tool that is %s in an imported session asks its new host',
  async (tool) => {
    const log = createMemoryLog()
    const { session, dropped } = await importSession(log, await consentingText(), { as: 'victim' })
    const workspace = await open({ log, session, policy: { permissions: {} } })
    const answer = await workspace.callTool(tool, {}, { caller: 'model' })
    expect(answer).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
    expect(dropped).toEqual({
      type: 'session.imported',
      tools: ['remembered'],
      confirmations: 3,
      rules: ['allowed'],
      allowedTools: 'pre-approve',
      intents: 0,
    })
    const events = (await log.read(session)).map(({ event }) => event)
    expect(events).toContainEqual(dropped)
    expect(await workspace.callTool('denied', {})).toMatchObject({ error: { type: 'DENIED' } })
    expect(workspace.state.policy).toMatchObject({ deny: ['x'], allow: [], allowedTools: 'ignore' })
  },
)

test('a backup of the host keeps its consent, to the byte', async () => {
  const log = createMemoryLog()
  const text = await consentingText()
  expect(await copySession(log, text, {}, true)).toMatchObject({ dropped: null })
  expect(await exportLog(log, 's')).toBe(text)
  const workspace = await open({ log, session: 's' })
  for (const tool of ['remembered', 'allowed', 'approved']) {
    expect(await workspace.callTool(tool, {}, { caller: 'model' })).toMatchObject({ ok: true })
  }
})

test('an intent that waits in an imported session is dropped', async () => {
  const intents = [{ type: 'END_VOICE_SESSION', when: 'after-turn' as const }]
  const execute = () => succeed('Bye.', { intents })
  const leave = defineTool({ name: 'leave', description: 'Leaves.', execute })
  const log = createMemoryLog()
  const workspace = await open({ log, session: 's', tools: [leave] })
  await workspace.callTool('leave', {})
  expect(workspace.state.intents).toHaveLength(1)
  const copy = createMemoryLog()
  await importSession(copy, await exportLog(log, 's'))
  const imported = await open({ log: copy, session: 's', tools: [leave] })
  expect(imported.state.intents).toEqual([])
})

test('the command lists what it dropped; with --keep-consent nothing is dropped', async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'run.jsonl'), await consentingText())
  const run = (...argv: string[]) =>
    runCommand(['sessions', 'import', 'run.jsonl', '--log', 'all.sqlite', ...argv], { cwd })
  expect((await run()).stdout.split('\n')[1]).toMatchInlineSnapshot(
    `"It was imported without its approvals of "remembered"; 3 open or approved confirmations; rules that allow "allowed"; pre-approval by allowed-tools."`,
  )
  const { stdout } = await run('--as', 'kept', '--keep-consent', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ session: 'kept', dropped: null })
})

test('a fork leaves the rules that allow with its origin', async () => {
  const log = createMemoryLog()
  await copySession(log, await consentingText(), {}, true)
  const origin = await open({ log, session: 's' })
  const { session } = await origin.sessions.fork()
  const fork = await open({ log, session })
  for (const tool of ['remembered', 'allowed', 'approved']) {
    const answer = await fork.callTool(tool, {}, { caller: 'model' })
    expect(answer).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  }
  expect(fork.state.policy).toMatchObject({ deny: ['x'], allow: [], allowedTools: 'ignore' })
})
