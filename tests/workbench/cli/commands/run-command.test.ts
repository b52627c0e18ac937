import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { WORKBENCH } from '../workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-command-'))

function writeTool(name: string, schema: object, execute: string): void {
  const tool = join(folder, 'skills', 'till', 'tools', name)
  mkdirSync(tool, { recursive: true })
  writeFileSync(
    join(tool, 'schema.json'),
    JSON.stringify({ toolId: name, version: '1.0.0', ...schema }),
  )
  writeFileSync(join(tool, 'doc_summary.md'), `${name}.\n`)
  writeFileSync(join(tool, 'handler.mjs'), `export const execute = ${execute}\n`)
}

/** A skill that is active for one turn, with a tool that asks first. */
beforeAll(() => {
  writeTool(
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
    '({ number }) => ({ paid: number })',
  )
  writeTool(
    'shop_hours',
    {
      category: 'retrieval',
      description: 'Say when the shop is open.',
      phrases: ['when is the shop open'],
      parameters: { type: 'object', properties: {} },
    },
    "() => ({ hours: '9 to 18\\u001b[31m' })",
  )
  writeFileSync(
    join(folder, 'skills', 'till', 'SKILL.md'),
    '---\nname: till\ndescription: Pay orders back and say the hours of the shop.\nmetadata:\n  loadout.lifetime: 1 turns\n---\nLook before you pay.\n',
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const RUN = ['run', 'skills', '--trust']

const log = (name: string) => ['--log', join(folder, name)]

/** Replaces what differs from run to run. */
const stable = (text: string) =>
  text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu, 'SESSION')
    .replaceAll(/\bquestion [0-9a-f]{32}\b/gu, 'question ID')
    .replaceAll(/[\d,]+ tokens/gu, 'N tokens')
    .replaceAll(/kept [\d,]+ of [\d,]+/gu, 'kept N of N')

test('a conversation in a pipe: a skill is activated, a call asks, an answer comes, the lifetime ends', async () => {
  const { code, stdout } = await runCommand([...RUN, ...log('pipe.sqlite')], {
    cwd: folder,
    input: 'pay back order 7\ny\nwhat is this\npay back order 8\nn\n',
  })
  expect(code).toBe(0)
  expect(stable(stdout)).toMatchInlineSnapshot(`
    "Talking to the scripted agent, session SESSION
    > pay back order 7
    step 1  request N tokens  3 tools: loadSkill loadSkillFile unloadSkill
      → loadSkill {"skillName":"till"}
      ✓ loadSkill  {"skill":"till","displayName":"Till","alreadyLoaded":false,"instructions":"Look before you pay.","tools":[{"n…
      + skill till
    step 2  request N tokens, kept N of N  5 tools: +pay_back +shop_hours
      → pay_back {"number":7}
      ? pay_back {"number":7}
        risk: destructive, question ID
      pay_back: approved once
      ✓ pay_back  {"paid":7}
    step 3  request N tokens, kept N of N  5 tools
    paid: 7

    (pay_back)
    > what is this
      − skill till
    step 4  request N tokens, kept N of N  3 tools: −pay_back −shop_hours
    I am a scripted agent, without a model, and found no tool for this. This is what I can do:
    With the skill till:
    - pay_back: Pay an order back, such as "pay back order 7"
    - shop_hours: Say when the shop is open, such as "when is the shop open"
    > pay back order 8
    step 5  request N tokens, kept N of N  3 tools
      → loadSkill {"skillName":"till"}
      ✓ loadSkill  {"skill":"till","displayName":"Till","alreadyLoaded":false,"instructions":"Look before you pay.","tools":[{"n…
      + skill till
    step 6  request N tokens, kept N of N  5 tools: +pay_back +shop_hours
      → pay_back {"number":8}
      ? pay_back {"number":8}
        risk: destructive, question ID
      pay_back: denied
    step 7  request N tokens, kept N of N  5 tools
    pay_back did not work. Tool call execution denied.

    I tried it for: Pay an order back.
    "
  `)
})

test('a message that begins with the name of a skill activates it with its arguments', async () => {
  const skill = (name: string, more: string, text: string) => {
    mkdirSync(join(folder, 'own', name), { recursive: true })
    const front = `name: ${name}\ndescription: Does ${name}.\n${more}`
    writeFileSync(join(folder, 'own', name, 'SKILL.md'), `---\n${front}---\n${text}\n`)
  }
  skill('fix-issue', 'disable-model-invocation: true\n', 'Fix $ARGUMENTS.')
  skill('background', 'user-invocable: false\n', 'Know this.')
  const at = log('own.sqlite')
  const { code, stdout, stderr } = await runCommand(['run', 'own', ...at], {
    cwd: folder,
    input: '/fix-issue 123 high\n/background\n/unknown x\n',
  })
  expect(code).toBe(1)
  expect(stderr).toContain('not by a person (user-invocable: false)')
  expect(stdout.match(/^step/gmu)).toHaveLength(2)
  const { stdout: prompt } = await runCommand(['prompt', 'own', ...at], { cwd: folder })
  expect(prompt).toContain('Fix 123 high.')
})

test('a skill for one turn that a message names is active while the message is answered, and then gone', async () => {
  const input = 'what is this\n/till\nwhat is this\n'
  const words = [...RUN, ...log('named.sqlite'), '--json']
  const { code, stdout } = await runCommand(words, { cwd: folder, input })
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  expect(code).toBe(0)
  const story = events.flatMap(({ type, ...event }): readonly unknown[] => {
    if (type === 'turn.begun') return [event.text]
    return type === 'step.begun' ? [event.tools.includes('shop_hours')] : []
  })
  expect(story).toEqual(['what is this', false, '/till', true, 'what is this', false])
})

test('--print prints the answer alone, with control characters shown', async () => {
  const { code, stdout } = await runCommand([...RUN, '--print', 'when is the shop open?'], {
    cwd: folder,
  })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'hours: 9 to 18<U+001B>[31m\n\n(shop_hours)\n',
  })
})

test('--print asks nobody: the turn waits, and another process goes on after an answer', async () => {
  const at = [...log('print.sqlite'), '--session', 'paying']
  const asked = await runCommand([...RUN, ...at, '--print', 'pay back order 7'], { cwd: folder })
  expect(asked.code).toBe(1)
  expect(asked.stdout).toBe('')
  expect(stable(asked.stderr)).toContain(
    '? pay_back {"number":7}\n    risk: destructive, question ID',
  )
  const [, question = ''] = /question ([0-9a-f]{32})/u.exec(asked.stderr) ?? []
  const approved = await runCommand(['approve', question, ...at], { cwd: folder })
  expect(approved.code).toBe(0)
  const { code, stdout } = await runCommand([...RUN, ...at, '--print', ''], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'paid: 7\n\n(pay_back)\n' })
})

test('a yes for the session is not asked again', async () => {
  const { stdout } = await runCommand(RUN, {
    cwd: folder,
    input: 'pay back order 7\ns\npay back order 8\n',
  })
  expect(stdout.match(/risk: destructive/gu)).toHaveLength(1)
  expect(stdout).toContain('paid: 8')
})

test('--json prints each event in a line, with the price that the log records', async () => {
  const { stdout } = await runCommand([...RUN, '--json'], {
    cwd: folder,
    input: 'when is the shop open?\n',
  })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)
  expect(lines.map(({ type }) => type)).toEqual([
    'session.opened',
    'turn.begun',
    'step.begun',
    'call.started',
    'call.ended',
    'skills.changed',
    'step.begun',
    'call.started',
    'call.ended',
    'step.begun',
    'text',
    'text',
    'text',
    'turn.ended',
  ])
  const { tokens, cost, tools } = lines[2] as unknown as {
    readonly tokens: number
    readonly tools: readonly string[]
    readonly cost: { readonly tokens: Record<string, number>; readonly kept: number }
  }
  expect(tokens).toBe(Object.values(cost.tokens).reduce((sum, one) => sum + one, 0))
  expect(tools).toContain('loadSkill')
  expect(stdout).not.toContain('\u001b')
})

test('messages are stored next to the log, for their user alone, and deleted with the session', async () => {
  const at = [...log('kept.sqlite'), '--session', 'kept']
  await runCommand([...RUN, ...at, '--print', 'when is the shop open?'], { cwd: folder })
  const chats = join(folder, 'kept.sqlite.chats')
  expect(readdirSync(chats)).toHaveLength(1)
  await runCommand(['sessions', 'delete', 'kept', ...log('kept.sqlite')], { cwd: folder })
  expect(existsSync(chats) ? readdirSync(chats) : []).toEqual([])
})

test('messages of a session that is gone are deleted by the next prune, and reported by a dry run', async () => {
  const at = [...log('gone.sqlite'), '--session', 'gone']
  await runCommand([...RUN, ...at, '--print', 'when is the shop open?'], { cwd: folder })
  rmSync(join(folder, 'gone.sqlite'))
  const prune = async (...argv: string[]) => {
    const words = ['sessions', 'prune', ...log('gone.sqlite'), ...argv]
    return (await runCommand(words, { cwd: folder })).stdout
  }
  expect(await prune('--dry-run')).toContain('Would delete 0 sessions, 1 conversation and')
  expect(await prune()).toContain('Deleted 0 sessions, 1 conversation and')
  expect(readdirSync(join(folder, 'gone.sqlite.chats'))).toEqual([])
})

test.each([
  ['--model', 'qwen3'],
  ['--model', 'ftp://host/v1#x'],
])('%s %s is wrong usage', async (...words) => {
  const { code, stderr } = await runCommand([...RUN, ...words, '--print', 'x'], { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toContain('is not the address of a model')
})

test('the scripted agent works with the workbench', async () => {
  const { code, stdout } = await runCommand(
    [
      'run',
      WORKBENCH,
      '--trust',
      '--agent',
      'assistant',
      '--print',
      'total revenue by region in examples/workbench/data/sales.csv',
    ],
    { cwd: folder },
  )
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      'region | sum of revenue\neast | 1046.3\nnorth | 946.75\nwest | 859.9\nsouth | 571.15\n\n(query_table)\n',
  })
})

test('a question that was answered elsewhere is not asked again, so the next line of a pipe is a message', async () => {
  const at = log('answered.sqlite')
  const waits = await runCommand([...RUN, ...at, '--print', 'pay back order 7'], { cwd: folder })
  expect(waits.code).toBe(1)
  const [, question = ''] = /question ([0-9a-f]{32})/u.exec(waits.stderr) ?? []
  await runCommand(['approve', question, ...at, '--session', 'latest'], { cwd: folder })
  const { stdout } = await runCommand([...RUN, ...at, '--session', 'latest', '--json'], {
    cwd: folder,
    input: 'when is the shop open\n',
  })
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly type: string }).type)
  expect(types).not.toContain('asked')
  expect(types).toContain('answered')
  expect(types.filter((type) => type === 'turn.begun')).toHaveLength(1)
  expect(stdout).toContain('paid: 7')
  expect(stdout).toContain('hours: 9 to 18')
})
