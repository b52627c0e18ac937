import { join } from 'node:path'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

/** Two sessions of a host; the model of the second waits for an answer. */
async function twoSessions() {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const tools = [
    defineTool({ name: 'pay', description: 'Pays.', requiresConfirmation: true, execute: () => 1 }),
  ]
  const open = async (session: string) =>
    VirtualWorkspace.open({ catalog: await createCatalog({}), tools, log, session })
  await (await open('quiet')).close()
  const asking = await open('asking')
  await asking.callTool('pay', {}, { caller: 'model' })
  await asking.close()
  await log.close()
  return cwd
}

test('without a terminal, attach lists the sessions, the last one first, with their questions', async () => {
  const cwd = await twoSessions()
  const { code, stdout } = await runCommand(['attach', '--log', 'run.sqlite'], { cwd })
  expect(code).toBe(0)
  const [head, first, second] = stdout.split('\n')
  expect(head).toMatch(/^# {2}SESSION +AGENT +QUESTIONS +CHANGED +LAST$/v)
  expect(first).toMatch(/^1 {2}asking +- +1 .*confirmation asked for a call of "pay"/v)
  expect(second).toMatch(/^2 {2}quiet +- +0 /v)
  const one = await runCommand(['attach', 'quiet', '--log', 'run.sqlite', '--json'], { cwd })
  expect(JSON.parse(one.stdout).sessions).toMatchObject([{ session: 'quiet', questions: 0 }])
})

test('at a terminal, q leaves the list, and a number without a session asks again', async () => {
  const cwd = await twoSessions()
  const answers = ['3', 'q']
  const { code, stderr } = await runCommand(['attach', '--log', 'run.sqlite'], { cwd, answers })
  expect(code).toBe(0)
  expect(stderr.split('Number (Enter: 1, q: quit): ')).toHaveLength(3)
})

test.each([
  { argv: ['--log', 'none.sqlite'], says: 'No log exists at "none.sqlite".' },
  { argv: ['nobody', '--log', 'run.sqlite'], says: 'has no session "nobody"' },
])('attach $argv is an error', async ({ argv, says }) => {
  const cwd = await twoSessions()
  const { code, stderr } = await runCommand(['attach', ...argv], { cwd })
  expect(code).not.toBe(0)
  expect(stderr).toContain(says)
})

test('a JSON Lines file cannot be followed', async () => {
  const cwd = await twoSessions()
  await runCommand(['sessions', 'export', 'asking', '--log', 'run.sqlite', '--out', 'a.jsonl'], {
    cwd,
  })
  const argv = ['attach', 'asking', '--log', 'a.jsonl']
  const { code, stderr } = await runCommand(argv, { cwd, answers: [] })
  expect(code).toBe(2)
  expect(stderr).toContain('cannot be followed')
})
