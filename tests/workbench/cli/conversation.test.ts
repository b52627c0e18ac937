import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeAllTables } from '../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import { openChatStore } from '../../../src/workbench/playground/chat/chat-store.ts'
import { comparableEntries } from '../playground/chat/comparable-entries.ts'
import type { Answer } from '../../wires/server/answer.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { runCommand } from './run-command.ts'
import { WORKBENCH } from './workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'conversation-'))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await removeAllTables()
})

/** The messages of the scenario. The third is answered by a question, which is approved. */
const MESSAGES = [
  'total quantity by region in data/sales.csv',
  'note this down: "east sells most"',
  'forget note 1',
  'what can you do?',
]

const LINES = MESSAGES.flatMap((one) => (one === 'forget note 1' ? [one, 'y'] : [one]))

const logOf = (name: string) => join(folder, `${name}.sqlite`)

const run = (name: string, ...more: readonly string[]) =>
  ['run', '.', '--trust', '--agent', 'assistant', '--log', logOf(name), ...more] as const

const PLAYED = ['--scenario', 'scenarios/from-question-to-lifetime.scenario.yaml'] as const

async function entriesOf(name: string): Promise<readonly Entry[]> {
  await using log = await openSqliteLog(logOf(name), { readOnly: true })
  const [summary] = await log.list()
  return log.read(summary?.session ?? '')
}

beforeAll(async () => {
  const input = `${LINES.join('\n')}\n`
  const { code } = await runCommand(run('pipe', ...PLAYED), { cwd: WORKBENCH, input })
  expect(code).toBe(0)
})

test('in a pipe: a question, a skill, its tools, an approval, answers, and the skill leaves when it is idle', async () => {
  const story = (await entriesOf('pipe')).flatMap(({ event }) => {
    switch (event.type) {
      case 'turn.begun':
        return [`turn ${event.turn}`]
      case 'source.opened':
      case 'source.closed':
        return event.source === 'skill' ? [`${event.type} ${event.owner}`] : []
      case 'call.ended':
        return [`${event.tool} ${event.ok ? 'succeeded' : 'failed'}`]
      case 'confirmation.asked':
        return [`asked about ${event.tool}`]
      case 'confirmation.approved':
        return ['approved']
      default:
        return []
    }
  })
  expect(story).toMatchInlineSnapshot(`
    [
      "source.opened repo-explorer",
      "turn 1",
      "source.opened data-analysis",
      "loadSkill succeeded",
      "open_table succeeded",
      "query_table succeeded",
      "turn 2",
      "add_note succeeded",
      "turn 3",
      "asked about remove_note",
      "approved",
      "remove_note succeeded",
      "turn 4",
      "source.closed data-analysis",
    ]
  `)
})

test('at a terminal the session has the same entries', async () => {
  const { code, stdout, stderr } = await runCommand(run('terminal', ...PLAYED), {
    cwd: WORKBENCH,
    columns: 80,
    answers: LINES,
  })
  expect(code).toBe(0)
  expect(stderr).toContain('y once, s for this session')
  expect(stdout).toContain('> total quantity by region')
  expect(comparableEntries(await entriesOf('terminal'))).toEqual(
    comparableEntries(await entriesOf('pipe')),
  )
})

test('with --print, in a process for each message, the session has the same entries', async () => {
  const cwd = WORKBENCH
  const codes: number[] = []
  for (const [index, message] of MESSAGES.entries()) {
    const session = [...PLAYED, ...(index === 0 ? [] : ['--session', 'latest'])]
    const { code, stderr } = await runCommand(run('print', ...session, '--print', message), { cwd })
    codes.push(code)
    if (code === 0) continue
    const [, question = ''] = /question ([0-9a-f]{32})/u.exec(stderr) ?? []
    const log = ['--log', logOf('print'), '--session', 'latest']
    const approved = await runCommand(['approve', question, ...log], { cwd })
    expect(approved).toMatchObject({ code: 0 })
    codes.push((await runCommand(run('print', ...session, '--print', ''), { cwd })).code)
  }
  expect(codes).toEqual([0, 0, 1, 0, 0])
  expect(comparableEntries(await entriesOf('print'))).toEqual(
    comparableEntries(await entriesOf('pipe')),
  )
})

test('a server with the protocol of OpenAI that answers the same makes the same entries', async () => {
  const [first] = await entriesOf('pipe')
  const session = first?.event.type === 'session.opened' ? first.event.session : ''
  const { messages } = openChatStore({ folder: `${logOf('pipe')}.chats`, user: null }, session)
  const answers = messages.flatMap(({ role, content }): readonly Answer[] => {
    if (role !== 'assistant') return []
    if (typeof content === 'string') return [content]
    const calls = content.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ id: part.toolCallId, name: part.toolName, input: part.input }]
        : [],
    )
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return [calls.length > 0 ? calls : text]
  })
  const server = await openWireServer({ answers })
  const { code } = await runCommand(run('server', '--model', `${server.url}/v1#local`), {
    cwd: WORKBENCH,
    input: `${LINES.join('\n')}\n`,
  })
  await server.close()
  expect(server.violations).toEqual([])
  expect(code).toBe(0)
  expect(comparableEntries(await entriesOf('server'))).toEqual(
    comparableEntries(await entriesOf('pipe')),
  )
})
