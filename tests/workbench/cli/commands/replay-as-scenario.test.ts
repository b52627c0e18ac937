import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder, writeTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const tool = (name: string, schema: object, execute: string) => ({
  [`skills/till/tools/${name}/schema.json`]: JSON.stringify({
    toolId: name,
    version: '1.0.0',
    ...schema,
  }),
  [`skills/till/tools/${name}/doc_summary.md`]: `${name}.\n`,
  [`skills/till/tools/${name}/handler.mjs`]: `export const execute = ${execute}\n`,
})

const TREE = {
  'skills/till/SKILL.md':
    '---\nname: till\ndescription: Pay orders back and say the hours of the shop.\nmetadata:\n  loadout.lifetime: 1 turns\n---\nLook before you pay.\n',
  ...tool(
    'pay_back',
    {
      category: 'action',
      risk: 'destructive',
      description: 'Pay an order back.',
      phrases: ['pay back order 7'],
      parameters: {
        type: 'object',
        properties: { number: { type: 'integer', description: 'Number of the order.' } },
        required: ['number'],
      },
    },
    "({ number }) => { if (number > 8) throw new Error('No such order.'); return { paid: number } }",
  ),
  ...tool(
    'shop_hours',
    {
      category: 'retrieval',
      description: 'Say when the shop is open.',
      phrases: ['when is the shop open'],
      parameters: { type: 'object', properties: {} },
    },
    "() => ({ hours: '9 to 18', token: 'sk-0123456789abcdefghij' })",
  ),
}

const load = { call: 'loadSkill', with: { skillName: 'till' } }

const pay = (number: number, text: string) => ({
  user: `pay back order ${number}`,
  model: [load, { call: 'pay_back', with: { number } }, { text }],
})

const what = { user: 'what is this', model: [{ text: 'A till.' }] }

/** The conversation that is recorded. */
const TALK = {
  scenario: 1,
  name: 'a talk',
  steps: [
    pay(7, 'It is paid back.'),
    what,
    pay(8, 'It is not paid back.'),
    pay(9, 'There is no such order.'),
    what,
    { user: '/till', model: [{ text: 'Here it is.' }] },
    {
      user: 'when is the shop open',
      model: [load, { call: 'shop_hours' }, { text: 'hours: 9 to 18' }],
    },
  ],
}

const INPUT = 'next\ny\nnext\nnext\nn\nnext\ny\nnext\n/till\nnext\n'

const cwd = mkdtempSync(join(tmpdir(), 'replay-as-scenario-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

beforeAll(async () => {
  await writeTree(cwd, TREE)
  await writeFile(join(cwd, 'talk.yaml'), JSON.stringify(TALK))
  const words = ['run', 'skills', '--trust', '--log', 'talk.sqlite', '--scenario', 'talk.yaml']
  const ran = await runCommand(words, { cwd, input: INPUT })
  expect(ran.code).toBe(0)
})

const REPLAY = ['replay', '--log', 'talk.sqlite', '--as', 'scenario', 'skills']

test('a recorded conversation becomes a scenario that passes at once, without the code of its tools', async () => {
  const { code, stdout, stderr } = await runCommand([...REPLAY, '--trust'], { cwd })
  expect(stderr).not.toContain('of the scenario')
  expect(code).toBe(0)
  expect(
    stdout
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, 'SESSION')
      .replaceAll(/tokens: \d+/gu, 'tokens: N'),
  ).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=node_modules/loadout/dist/scenario.schema.json
    scenario: 1
    name: what happened in SESSION
    stub:
      pay_back:
        - data:
            paid: 7
        - error:
            type: INTERNAL
            message: "Error: No such order."
      shop_hours:
        data:
          hours: 9 to 18
          token: "[redacted]"
    steps:
      - expect:
          tokens: N
      - user: pay back order 7
        model:
          - call: loadSkill
            with:
              skillName: till
          - call: pay_back
            with:
              number: 7
          - text: It is paid back.
        approve:
          - pay_back
        expect:
          ok: true
          asked:
            - pay_back
          active:
            - till
          exposed:
            - pay_back
            - shop_hours
          tokens: N
      - user: what is this
        model:
          - text: A till.
        expect:
          not-active:
            - till
          not-exposed:
            - pay_back
            - shop_hours
          tokens: N
      - user: pay back order 8
        model:
          - call: loadSkill
            with:
              skillName: till
          - call: pay_back
            with:
              number: 8
          - text: It is not paid back.
        deny:
          - pay_back
        expect:
          ok: false
          error: DENIED
          asked:
            - pay_back
          active:
            - till
          exposed:
            - pay_back
            - shop_hours
          tokens: N
      - user: pay back order 9
        model:
          - call: loadSkill
            with:
              skillName: till
          - call: pay_back
            with:
              number: 9
          - text: There is no such order.
        approve:
          - pay_back
        expect:
          ok: false
          error: INTERNAL
          asked:
            - pay_back
          tokens: N
      - user: what is this
        model:
          - text: A till.
        expect:
          not-active:
            - till
          not-exposed:
            - pay_back
            - shop_hours
          tokens: N
      - activate: till
        expect:
          active:
            - till
          exposed:
            - pay_back
            - shop_hours
          tokens: N
      - user: /till
        model:
          - text: Here it is.
        expect:
          tokens: N
      - user: when is the shop open
        model:
          - call: loadSkill
            with:
              skillName: till
          - call: shop_hours
            with: {}
          - text: "hours: 9 to 18"
        expect:
          ok: true
          tokens: N
    "
  `)
  await writeFile(join(cwd, 'skills/talk.scenario.yaml'), stdout)
  // Without --trust, no code runs: the stubs answer.
  for (const argv of [[], ['--adapter', 'anthropic'], ['--adapter', 'ai-sdk']]) {
    const tested = await runCommand(['test', 'skills', ...argv], { cwd })
    expect(tested.stdout).toContain('all passed')
    expect(tested.code).toBe(0)
  }
  const tampered = stdout.replace('deny:\n      - pay_back', 'approve:\n      - pay_back')
  await writeFile(join(cwd, 'skills/talk.scenario.yaml'), tampered)
  expect((await runCommand(['test', 'skills'], { cwd })).code).toBe(1)
})

test('an expectation that does not hold any more is reported', async () => {
  const other = await temporaryFolder({
    ...TREE,
    'skills/till/SKILL.md': TREE['skills/till/SKILL.md'].replace('1 turns', 'session'),
  })
  const { code, stderr } = await runCommand(
    ['replay', '--log', join(cwd, 'talk.sqlite'), '--as', 'scenario', 'skills', '--trust'],
    { cwd: other },
  )
  expect(code).toBe(1)
  expect(stderr).toContain('not-active: expected ["till"]')
})

test('without the messages, the scenario has what the log has, and says so', async () => {
  await copyFile(join(cwd, 'talk.sqlite'), join(cwd, 'copy.sqlite'))
  const argv = ['replay', '--log', 'copy.sqlite', '--as', 'scenario', 'skills', '--trust']
  const { stdout } = await runCommand(argv, { cwd })
  expect(stdout).toContain('# The messages of the session are not stored here')
  expect(stdout).toContain('user: Message 1.')
})

test('another form is wrong usage', async () => {
  expect((await runCommand(['replay', 'talk.sqlite', '--as', 'film'], { cwd })).code).toBe(2)
})

test('the name of a tool that sounds like a secret hides no stub', async () => {
  const own = await temporaryFolder({
    'skills/till/SKILL.md': TREE['skills/till/SKILL.md'],
    ...tool(
      'shop_secret',
      {
        category: 'retrieval',
        description: 'Say when the shop is open.',
        phrases: ['when is the shop open'],
        parameters: { type: 'object', properties: {} },
      },
      "() => ({ hours: '9 to 18', token: 'sk-0123456789abcdefghij' })",
    ),
  })
  const steps = [{ user: 'when is the shop open', model: [load, { call: 'shop_secret' }] }]
  await writeFile(join(own, 'talk.yaml'), JSON.stringify({ scenario: 1, name: 'a talk', steps }))
  const words = ['run', 'skills', '--trust', '--log', 'talk.sqlite', '--scenario', 'talk.yaml']
  await runCommand(words, { cwd: own, input: 'next\n' })
  const { code, stdout } = await runCommand([...REPLAY, '--trust'], { cwd: own })
  expect(stdout).toContain(
    '  shop_secret:\n    data:\n      hours: 9 to 18\n      token: "[redacted]"\n',
  )
  expect(code).toBe(0)
})
