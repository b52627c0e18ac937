import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'
import { WORKBENCH } from '../workbench.ts'

const STREAMS = "export async function* execute() { yield 'some'; return 'all' }\n"

const DRAWS = `export const execute = () => ({
  ok: true,
  data: { rows: 2 },
  content: [
    { type: 'text', text: 'Two \\u001b[31mrows.' },
    { type: 'image', mediaType: 'image/png', name: 'chart.png', data: Buffer.alloc(1500) },
  ],
})
`

const tree = {
  'loadout.config.json': JSON.stringify({ skills: ['skills'], permissions: { ask: ['careful'] } }),
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  ...toolTree('skills/alpha/tools/careful'),
  ...toolTree('skills/alpha/tools/says', "export const execute = () => 'plain \\u001b[31mtext'\n"),
  ...toolTree('skills/alpha/tools/later', "export const execute = async () => 'at last'\n"),
  'skills/alpha/tools/later/schema.json': JSON.stringify({
    toolId: 'later',
    description: 'Answers later.',
    parameters: { type: 'object', properties: {} },
    background: true,
  }),
  ...toolTree('skills/alpha/tools/streams', STREAMS),
  ...toolTree('skills/alpha/tools/draws', DRAWS),
  ...toolTree('skills/alpha/tools/fails', "export const execute = () => { throw 'no' }\n"),
}

async function call(tool: string, ...more: string[]) {
  const cwd = await temporaryFolder(tree)
  const argv = ['call', tool, '--trust', '--activate', 'alpha', ...more]
  return runCommand(argv, { cwd, input: '{"text":"from input"}' })
}

test('the data is printed; with --json the complete response', async () => {
  const plain = await call('echo', '--args-json', '{"text":"hi"}')
  expect(plain).toEqual({ code: 0, stdout: '{\n  "echoed": "hi"\n}\n', stderr: '' })
  const { code, stdout } = await call('echo', '--args-json', '{"text":"hi"}', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    data: { echoed: 'hi' },
    intents: [],
    meta: { version: '1.0.0', tool: 'echo' },
  })
})

test('parts are printed as text, and an image as a sentence; with --json the complete response', async () => {
  expect(await call('draws', '--args-json', '{}')).toEqual({
    code: 0,
    stdout: 'Two <U+001B>[31mrows.\nAn image was returned: chart.png, image/png, 1.5 kB.\n',
    stderr: '',
  })
  const { stdout } = await call('draws', '--args-json', '{}', '--json')
  const data = Buffer.alloc(1_500).toString('base64')
  expect(JSON.parse(stdout)).toMatchObject({ data: { rows: 2 }, content: [{}, { data }] })
})

test('"-" reads the arguments from standard input', async () => {
  const { stdout } = await call('echo', '--args-json', '-')
  expect(JSON.parse(stdout)).toEqual({ echoed: 'from input' })
})

test.each([
  { tool: 'later', data: 'at last', what: 'goes on in the background elsewhere' },
  { tool: 'streams', data: 'all', what: 'streams' },
])('a tool that $what is waited for, and its result is printed', async ({ tool, data }) => {
  expect(await call(tool, '--args-json', '{}')).toMatchObject({ code: 0, stdout: `${data}\n` })
})

test('text is printed with visible escape sequences', async () => {
  expect((await call('says')).stdout).toBe('plain <U+001B>[31mtext\n')
})

test.each([
  { tool: 'nothing', args: '{}', type: 'NOT_FOUND' },
  { tool: 'echo', args: '{"txt":1}', type: 'VALIDATION' },
  { tool: 'echo', args: '[]', type: 'VALIDATION' },
  { tool: 'fails', args: '{}', type: 'INTERNAL' },
  { tool: 'careful', args: '{}', type: 'CONFIRMATION_REQUIRED' },
])('$tool $args ends with the envelope of $type on stdout', async ({ tool, args, type }) => {
  const json = await call(tool, '--args-json', args, '--json')
  expect(json).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { type } })

  const plain = await call(tool, '--args-json', args)
  expect(plain.code).toBe(1)
  expect(JSON.parse(plain.stdout)).toMatchObject({ ok: false, error: { type } })
  expect(plain.stderr).toMatch(/^loadout: /)
})

test('a call of a tool of an inactive skill is refused, with the skill to activate', async () => {
  const cwd = await temporaryFolder(tree)
  const { code, stdout } = await runCommand(['call', 'echo', '--trust', '--json'], { cwd })
  expect(code).toBe(1)
  const { error } = JSON.parse(stdout) as { error: { type: string; message: string } }
  expect(error.type).toBe('UNAVAILABLE')
  expect(error.message).toContain('Activate the skill "alpha".')
})

test('a call of a tool in an untrusted folder is refused as unbound', async () => {
  const cwd = await temporaryFolder(tree)
  const argv = ['call', 'echo', '--activate', 'alpha', '--json']
  const { code, stdout } = await runCommand(argv, { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { type: 'UNBOUND' } })
})

test('a call that needs approval has a confirmation id; --yes approves it', async () => {
  const { stdout } = await call('careful', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    error: { details: { confirmation: expect.stringMatching(/^[0-9a-f]{32}$/) } },
  })
  expect((await call('careful')).stderr).toContain('To approve this call, repeat it with --yes.')
  const approved = await call('careful', '--yes', '--args-json', '{"text":"hi"}')
  expect(approved).toEqual({ code: 0, stdout: '{\n  "echoed": "hi"\n}\n', stderr: '' })
})

test('a remembered approval also applies to other sessions', async () => {
  const cwd = await temporaryFolder(tree)
  const careful = (...more: readonly string[]) =>
    runCommand(['call', 'careful', '--activate', 'alpha', '--trust', '--json', ...more], { cwd })
  expect((await careful('--yes', '--remember', 'session')).code).toBe(0)
  expect((await careful()).code).toBe(1)
  expect((await careful('--yes', '--remember', 'digest')).code).toBe(0)
  expect((await careful()).code).toBe(0)
  expect((await careful('--yes', '--remember', 'ever')).code).toBe(2)
  expect(await careful('--remember', 'session')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--remember needs --yes') as string,
  })
})

test('with --log the next call sees the effects of this one', async () => {
  const cwd = await temporaryFolder()
  const workbench = ['--path', WORKBENCH, '--trust', '--log', 'run.sqlite']
  const note = (text: string) =>
    runCommand(['call', 'add_note', ...workbench, '--args-json', JSON.stringify({ text })], { cwd })
  expect((await note('first')).stdout).toBe('{\n  "id": 1\n}\n')
  expect((await note('second')).stdout).toBe('{\n  "id": 2\n}\n')
  const { stdout } = await runCommand(['prompt', ...workbench, '--part', 'conversation'], { cwd })
  expect(stdout).toContain('1. first')
  expect(stdout).toContain('2. second')
})
