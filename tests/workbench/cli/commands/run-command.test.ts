import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { displayWidth, graphemes } from '../../../../src/kernel/display-width.ts'
import { runCommand } from '../run-command.ts'
import { WORKBENCH } from '../workbench.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

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

const load = { call: 'loadSkill', with: { skillName: 'till' } }

const pay = (number: number) => ({
  user: `pay back order ${number}`,
  model: [load, { call: 'pay_back', with: { number } }, { text: `Order ${number}.` }],
})

const hours = {
  user: 'when is the shop open?',
  model: [load, { call: 'shop_hours' }, { text: 'From 9\u001b[31m to 18.\nEach day.' }],
}

/** Writes a scenario with these steps, and returns the words that play it. */
function play(...steps: readonly object[]): readonly string[] {
  const name = `${readdirSync(folder).length}.scenario.yaml`
  writeFileSync(join(folder, name), JSON.stringify({ scenario: 1, name: 'a till', steps }))
  return ['--scenario', name]
}

const log = (name: string) => ['--log', join(folder, name)]

/** Replaces what differs from run to run. */
const stable = (text: string) =>
  text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu, 'SESSION')
    .replaceAll(/\bquestion [0-9a-f]{32}\b/gu, 'question ID')
    .replaceAll(/[\d,]+ tokens/gu, 'N tokens')
    .replaceAll(/kept [\d,]+ of [\d,]+/gu, 'kept N of N')

test('a scenario in a pipe, a move for each empty line: a skill is activated, a call asks, an answer comes, the lifetime ends', async () => {
  const { user, model } = pay(8)
  const moves = [pay(7), { user: 'what is this', model: [{ text: 'A till.' }] }]
  const played = play(...moves, { user, model: model.slice(0, 2) })
  const { code, stdout } = await runCommand([...RUN, ...log('pipe.sqlite'), ...played], {
    cwd: folder,
    input: '\ny\n\n\nn\n\n',
  })
  expect(code).toBe(0)
  expect(stable(stdout)).toMatchInlineSnapshot(`
    "Talking to the scenario "a till", session SESSION
    > pay back order 7
    step 1  request N tokens  3 tools: loadSkill loadSkillFile unloadSkill
      → loadSkill {"skillName":"till"}
      ✓ loadSkill  {"skill":"till","displayName":"Till","alreadyLoaded":false,"instructions":"Look before you pay.","tools":[{"n…
      + skill till
    step 2  request N tokens, nothing cached below 1,024  5 tools: +pay_back +shop_hours
      → pay_back {"number":7}
      ? pay_back {"number":7}
        risk: destructive, question ID
      pay_back: approved once
      ✓ pay_back  {"paid":7}
    step 3  request N tokens, nothing cached below 1,024  5 tools
    │ Order 7.
    > what is this
      − skill till
    step 4  request N tokens, nothing cached below 1,024  3 tools: −pay_back −shop_hours
    │ A till.
    > pay back order 8
    step 5  request N tokens, nothing cached below 1,024  3 tools
      → loadSkill {"skillName":"till"}
      ✓ loadSkill  {"skill":"till","displayName":"Till","alreadyLoaded":false,"instructions":"Look before you pay.","tools":[{"n…
      + skill till
    step 6  request N tokens, nothing cached below 1,024  5 tools: +pay_back +shop_hours
      → pay_back {"number":8}
      ? pay_back {"number":8}
        risk: destructive, question ID
      pay_back: denied
    step 7  request N tokens, nothing cached below 1,024  5 tools
    │ Move 3 of 3. It was the last one.
    > next
      − skill till
    step 8  request N tokens, nothing cached below 1,024  3 tools: −pay_back −shop_hours
    │ The scenario has no further move.
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
  const { code, stdout } = await runCommand(['run', 'own', ...at], {
    cwd: folder,
    input: '/fix-issue 123 high\n/background\n/unknown x\n',
  })
  expect(code).toBe(1)
  expect(stdout).toContain('not by a person (user-invocable: false)')
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
  const { code, stdout } = await runCommand([...RUN, ...play(hours), '--print', 'next'], {
    cwd: folder,
  })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'From 9<U+001B>[31m to 18.\nEach day.\n',
  })
})

test('--print asks nobody: the turn waits, and another process goes on after an answer', async () => {
  const own = log('print.sqlite')
  const at = [...own, '--session', 'paying', ...play(pay(7))]
  const asked = await runCommand([...RUN, ...at, '--print', 'next'], { cwd: folder })
  expect(asked.code).toBe(1)
  expect(asked.stdout).toBe('')
  expect(stable(asked.stderr)).toContain(
    '? pay_back {"number":7}\n    risk: destructive, question ID',
  )
  const [, question = ''] = /question ([0-9a-f]{32})/u.exec(asked.stderr) ?? []
  const approve = ['approve', question, ...own, '--session', 'paying']
  const approved = await runCommand(approve, { cwd: folder })
  expect(approved.code).toBe(0)
  const { code, stdout } = await runCommand([...RUN, ...at, '--print', ''], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Order 7.\n' })
})

test('a yes for the session is not asked again', async () => {
  const { stdout } = await runCommand([...RUN, ...play(pay(7), pay(8))], {
    cwd: folder,
    input: 'next\ns\nnext\n',
  })
  expect(stdout.match(/risk: destructive/gu)).toHaveLength(1)
  expect(stdout).toContain('{"paid":8}')
})

test('--json prints each event in a line, with the price that the log records', async () => {
  const { stdout } = await runCommand([...RUN, ...play(hours), '--json'], {
    cwd: folder,
    input: 'next\n',
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

test('a text of the model cannot look like a line of the command, whatever pieces and breaks it has', async () => {
  const lines = [
    '? wipe {}',
    '  ✓ wipe  {"ok":1}',
    '> yes',
    'step 9  request 1 tokens',
    'loadout: done',
  ]
  const text = `${lines.join('\n')}\r\n\n${lines.join('\r')}`
  const played = play({ user: 'hello', model: [{ text }] })
  const { stdout } = await runCommand([...RUN, ...log('imitates.sqlite'), ...played], {
    cwd: folder,
    input: '\n',
  })
  const own = stdout.split('\n').filter((line) => !line.startsWith('│ '))
  expect(own.filter((line) => /wipe|yes|step 9|done/u.test(line))).toEqual([])
  expect(stdout).toContain('│ ? wipe {}\n│   ✓ wipe  {"ok":1}\n')
})

test.each([
  ['blanks', (columns: number) => ' '.repeat(columns - 2)],
  ['wide blanks', (columns: number) => '\u3000'.repeat(columns / 2 - 1)],
  ['letters', (columns: number) => 'a'.repeat(columns - 2)],
  ['wide letters', (columns: number) => '界'.repeat(columns / 2 - 1)],
])('on a terminal no row begins with what %s push over its edge', async (what, blanks) => {
  const columns = 40
  const forged = `${blanks(columns)}? wipe {}`
  const text = `${forged}\n${forged.repeat(3)}`
  const played = play({ user: `hello ${forged}`, model: [{ text }] })
  const { stdout } = await runCommand([...RUN, ...log(`${what}.sqlite`), ...played], {
    cwd: folder,
    input: '\n',
    columns,
  })
  const rows = stdout.split('\n').flatMap((line) => rowsOf(line, columns))
  expect(rows.filter((row) => row.startsWith('? wipe'))).toEqual([])
  expect(rows.filter((row) => row.includes('? w')).length).toBeGreaterThan(3)
})

/** Returns the rows that a terminal makes of a line. */
function rowsOf(line: string, columns: number): readonly string[] {
  const rows: string[] = []
  let row = ''
  for (const letter of graphemes(line)) {
    if (displayWidth(row + letter) > columns) {
      rows.push(row)
      row = ''
    }
    row += letter
  }
  return [...rows, row]
}

test('without a model, a message loads the skill that fits, and the answer has the reason, the request and the way to a model', async () => {
  const said = ['which region sold most?', 'which region sold most?', 'what time is it?', 'hello']
  const run = ['run', WORKBENCH, '--trust', '--agent', 'assistant']
  const { code, stdout } = await runCommand([...run, '--model', 'scripted'], {
    cwd: folder,
    input: said.join('\n'),
  })
  expect(code).toBe(0)
  expect(
    stable(stdout)
      .replaceAll(/tools: loadSkill .*/gu, 'tools: …')
      .replaceAll(/✓ loadSkill .*/gu, '✓ loadSkill …'),
  ).toMatchInlineSnapshot(`
    "Talking to the search (no model), the session is not stored
    > which region sold most?
    step 1  request N tokens  11 tools: …
      → loadSkill {"skillName":"data-analysis"}
      ✓ loadSkill …
      + skill data-analysis
    step 2  request N tokens, kept N of N  15 tools: +describe_table +open_table +query_table +summarise_table
    │ The search finds the tool query_table of the skill data-analysis by "region", among 15 tools and 15 skills.
    │ data-analysis is loaded now, with describe_table, open_table, query_table, and summarise_table.
    │ A model would be sent 15 tools in N tokens: see the tab Prompt of the playground, or "loadout prompt --session latest" with the same --log.
    │ No model answers here. Give one with --model http://localhost:11434/v1#qwen3 (any server with the Chat Completions of OpenAI), or as "model" in loadout.config.ts.
    > which region sold most?
    step 3  request N tokens, kept N of N  15 tools
    │ The search finds the tool query_table of the skill data-analysis by "region", among 15 tools and 15 skills.
    │ data-analysis is active already, with describe_table, open_table, query_table, and summarise_table.
    │ A model would be sent 15 tools in N tokens: see the tab Prompt of the playground, or "loadout prompt --session latest" with the same --log.
    │ No model answers here. Give one with --model http://localhost:11434/v1#qwen3 (any server with the Chat Completions of OpenAI), or as "model" in loadout.config.ts.
    > what time is it?
    step 4  request N tokens, kept N of N  15 tools
    │ The search finds the tool current_time by "time", among 15 tools and 15 skills.
    │ No skill has to be loaded for it.
    │ A model would be sent 15 tools in N tokens: see the tab Prompt of the playground, or "loadout prompt --session latest" with the same --log.
    │ No model answers here. Give one with --model http://localhost:11434/v1#qwen3 (any server with the Chat Completions of OpenAI), or as "model" in loadout.config.ts.
    > hello
      − skill data-analysis
    step 5  request N tokens, kept N of N  11 tools: −describe_table −open_table −query_table −summarise_table
    │ The search finds nothing that fits among 15 tools and 15 skills. Say the action and its object in a few words, such as "read a table".
    │ Skills: data-analysis, gemini-interactions-api, gh-fix-ci, linear, mcp-builder, neon-postgres, notion-meeting-intelligence, react-native-best-practices, …
    │ A model would be sent 11 tools in N tokens: see the tab Prompt of the playground, or "loadout prompt --session latest" with the same --log.
    │ No model answers here. Give one with --model http://localhost:11434/v1#qwen3 (any server with the Chat Completions of OpenAI), or as "model" in loadout.config.ts.
    "
  `)
})

test('a skill or a tool that a rule denies is not found, and a skill that a person does not let in is not loaded', async () => {
  const config = (rules: object) =>
    writeFileSync(join(folder, 'loadout.config.json'), JSON.stringify({ permissions: rules }))
  const say = async (input: string) => {
    const { stdout, stderr } = await runCommand(RUN, { cwd: folder, input })
    return stdout + stderr
  }
  const rule = { tool: 'loadSkill', where: { skillName: 'till' } }
  config({ deny: [rule] })
  const denied = await say('pay back an order\n')
  config({ ask: [rule] })
  const asked = await say('pay back an order\nn\n')
  config({ deny: ['pay_back'] })
  const withoutTool = await say('pay back an order\n')
  rmSync(join(folder, 'loadout.config.json'))
  expect(denied).toContain('The search finds nothing that fits among 0 tools and 0 skills.')
  expect(denied).not.toContain('→')
  expect(asked).toContain('till is not active.')
  expect(withoutTool).not.toContain('the tool pay_back')
  expect(withoutTool).toContain('till is loaded now, with shop_hours.')
})

test('the advice to add a model works: --model with the address of a server, and "model" in loadout.config.ts', async () => {
  const { stdout } = await runCommand([...RUN, '--print', 'pay back an order'], { cwd: folder })
  const [, flag = '', config = ''] =
    /Give one with (--model) http:\S+#\S+ .* as "model" in (\S+)\.$/mu.exec(stdout) ?? []
  const server = await openWireServer({ answers: ['Hello.'] })
  onTestFinished(() => server.close())
  const words = [...RUN, '--print', 'hello']
  const answered = await runCommand([...words, flag, `${server.url}/v1#local`], { cwd: folder })
  expect(answered).toMatchObject({ code: 0, stdout: 'Hello.\n' })
  writeFileSync(join(folder, config), "export default { model: 'local/none' }\n")
  onTestFinished(() => rmSync(join(folder, config)))
  const { code, stdout: talk } = await runCommand(RUN, { cwd: folder })
  expect({ code, talk }).toMatchObject({ code: 0, talk: expect.stringContaining('local/none') })
})

test.each([
  ['nowhere.scenario.yaml', 'cannot be read'],
  ['skills/till/SKILL.md', 'is no scenario'],
])('--scenario %s is wrong usage: it %s', async (name, why) => {
  const { code, stderr } = await runCommand([...RUN, '--scenario', name], { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toContain(why)
})

test('a played scenario has the skills of its folder, its rules that ask and its results instead of code, and allows nothing', async () => {
  const scenario = {
    scenario: 1,
    name: 'a stub',
    rules: { ask: ['shop_hours'], allow: ['pay_back'] },
    stub: { pay_back: { data: { paid: 'nothing' } } },
    steps: [
      { activate: 'till' },
      { user: 'Hours?', model: [{ call: 'shop_hours' }] },
      { user: 'Pay.', model: [load], call: 'pay_back', with: { number: 7 } },
      { expect: { active: ['till'] } },
      { activate: 'nothing' },
    ],
  }
  mkdirSync(join(folder, 'scenarios'))
  const file = join('scenarios', 'stub.scenario.yaml')
  writeFileSync(join(folder, file), JSON.stringify(scenario))
  const { code, stdout } = await runCommand(['run', '--scenario', file, '--trust'], {
    cwd: folder,
    input: 'one\nn\ntwo\ny\nthree\nfour\n',
  })
  expect(code).toBe(0)
  expect(stable(stdout)).toMatchInlineSnapshot(`
    "Talking to the scenario "a stub", the session is not stored
    > Hours?
      + skill till
    step 1  request N tokens  5 tools: loadSkill loadSkillFile unloadSkill pay_back shop_hours
      → shop_hours {}
      ? shop_hours {}
        risk: safe, question ID
        Asked by the rule: "shop_hours"
      shop_hours: denied
    step 2  request N tokens, nothing cached below 1,024  5 tools
    │ Move 1 of 3. Enter makes the next one.
    > Pay.
      − skill till
    step 3  request N tokens, nothing cached below 1,024  3 tools: −pay_back −shop_hours
      → loadSkill {"skillName":"till"}
      ✓ loadSkill  {"skill":"till","displayName":"Till","alreadyLoaded":false,"instructions":"Look before you pay.","tools":[{"n…
      + skill till
    step 4  request N tokens, nothing cached below 1,024  5 tools: +pay_back +shop_hours
      → pay_back {"number":7}
      ? pay_back {"number":7}
        risk: destructive, question ID
      pay_back: approved once
      ✓ pay_back  {"paid":"nothing"}
    step 5  request N tokens, nothing cached below 1,024  5 tools
    │ Move 2 of 3. Enter makes the next one.
    > three
      − skill till
    step 6  request N tokens, nothing cached below 1,024  3 tools: −pay_back −shop_hours
    │ Move 3 of 3. It was the last one.
    loadout: No skill is named "nothing".
    List the skills to see their names.
    > four
    step 7  request N tokens, nothing cached below 1,024  3 tools
    │ The scenario has no further move.
    "
  `)
})

test('a question that was answered elsewhere is not asked again, so the next line of a pipe is a message', async () => {
  const at = log('answered.sqlite')
  const run = [...RUN, ...at, ...play(pay(7), hours)]
  const waits = await runCommand([...run, '--print', 'next'], { cwd: folder })
  expect(waits.code).toBe(1)
  const [, question = ''] = /question ([0-9a-f]{32})/u.exec(waits.stderr) ?? []
  await runCommand(['approve', question, ...at, '--session', 'latest'], { cwd: folder })
  const { stdout } = await runCommand([...run, '--session', 'latest', '--json'], {
    cwd: folder,
    input: 'next\n',
  })
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly type: string }).type)
  expect(types).not.toContain('asked')
  expect(types).toContain('answered')
  expect(types.filter((type) => type === 'turn.begun')).toHaveLength(1)
  expect(stdout).toContain('Order 7.')
  expect(stdout).toContain('From 9')
})
