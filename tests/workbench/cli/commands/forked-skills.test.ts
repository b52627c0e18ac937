import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'forked-skills-'))

const FILES = {
  'skills/count/SKILL.md':
    '---\nname: count\ndescription: Count the coins. Use when money is counted.\ncontext: fork\nagent: clerk\n---\nCount $ARGUMENTS with wipe.\n',
  'skills/count/tools/wipe/schema.json': JSON.stringify({
    toolId: 'wipe',
    version: '1.0.0',
    category: 'action',
    risk: 'destructive',
    description: 'Empty the till.',
    parameters: { type: 'object', properties: {} },
  }),
  'skills/count/tools/wipe/doc_summary.md': 'Empties the till.\n',
  'skills/count/tools/wipe/handler.mjs': "export const execute = () => 'emptied'\n",
  'agents/clerk/AGENT.md':
    '---\nname: clerk\ndescription: Counts money.\nskills: []\n---\nYou are the clerk.\n',
}

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ANSWERS = [
  { calls: [{ name: 'loadSkill', input: { skillName: 'count', arguments: 'the coins' } }] },
  { calls: [{ name: 'wipe', input: {} }] },
  'Seven coins.',
  'There are seven.',
]

async function run(options: readonly string[], input: string) {
  const server = await openWireServer({ answers: ANSWERS })
  const argv = ['run', 'skills', 'agents', '--trust', '--model', `${server.url}/v1#local`]
  const { code, stdout, stderr } = await runCommand([...argv, ...options], { cwd: folder, input })
  await server.close()
  return { code, stdout, stderr, server }
}

test('the model of a run carries out a forked skill in a child session, and a person answers its questions', async () => {
  const { code, stdout, server } = await run([], 'Count the money.\ny\n')
  expect(code).toBe(0)
  expect(stdout).toContain('    ? wipe')
  expect(stdout).toContain('    ✓ wipe')
  expect(stdout).toContain('│ There are seven.')
  const [first, second, , last] = server.requests.map(({ body }) => JSON.stringify(body))
  expect(first).not.toContain('You are the clerk.')
  expect(second).toContain('You are the clerk.')
  expect(second).toContain('Count the coins with wipe.')
  expect(last).toContain('Seven coins.')
  expect(last).not.toContain('Count the coins with wipe.')
})

test('events of the child session have its id, and without a person the call fails', async () => {
  const { stdout } = await run(['--json'], 'Count the money.\ny\n')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const own = lines.filter(({ child }) => child !== undefined).map(({ type }) => type)
  expect(own).toEqual(expect.arrayContaining(['step.begun', 'asked', 'answered', 'call.ended']))
  expect(lines.at(-1)).toMatchObject({ type: 'turn.ended', status: 'done' })
  const printed = await run(['--print', 'Count the money.'], '')
  expect(printed.stderr).toContain('wipe')
  expect(JSON.stringify(printed.server.requests[2]?.body)).toContain(
    'The subagent gave no answer: its turn is waiting.',
  )
})
