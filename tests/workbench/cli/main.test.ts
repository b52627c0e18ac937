import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skillText, temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'
import { WORKBENCH } from './workbench.ts'

const project = () =>
  temporaryFolder({
    'skills/alpha/SKILL.md': skillText('alpha'),
    'skills/beta/SKILL.md': skillText('beta'),
    'file.txt': 'no folder',
    'damaged.jsonl': 'hello\n',
    'empty.jsonl': '',
  })

/** Wrong command lines. `alpha.sqlite` is a log of this project. */
const WRONG: readonly (readonly [string, ...string[]])[] = [
  ['promt'],
  ['prompt', 'nowhere'],
  ['prompt', 'file.txt'],
  ['prompt', '--path', 'nowhere'],
  ['prompt', '--jsn'],
  ['prompt', '--format', 'pdf'],
  ['prompt', '--part', 'half'],
  ['prompt', '--at', '1'],
  ['prompt', '--at', '-1', '--log', 'alpha.sqlite'],
  ['prompt', '--at', '1.5', '--log', 'alpha.sqlite'],
  ['prompt', '--at', 'x', '--log', 'alpha.sqlite'],
  ['prompt', '--at', '99', '--log', 'alpha.sqlite'],
  ['prompt', '--log', 'nowhere.jsonl'],
  ['prompt', '--var', 'NAME'],
  ['prompt', '--var', 'A-B=1'],
  ['prompt', '--agent'],
  ['--json', 'prompt'],
  ['tools', 'nowhere'],
  ['skills', 'nowhere'],
  ['why'],
  ['why', 'alpha', '--skill', '--tool'],
  ['activate'],
  ['activate', './skills'],
  ['activate', 'alpha', '--at', '1'],
  ['call'],
  ['call', 'loadSkill', '--args-json', '{'],
  ['call', 'loadSkill', '--args-json', '-'],
  ['replay'],
  ['replay', '--log', 'nowhere.jsonl'],
  ['trust'],
  ['trust', 'nowhere'],
  ['trust', 'file.txt'],
  ['trust', '--list', '--remove'],
  ['trust', '--list', 'skills'],
  ['help', 'promt'],
  ['list', 'nowhere'],
  ['list', '--tre'],
  ['show'],
  ['show', 'skill'],
  ['show', 'skils', 'alpha'],
  ['show', 'skill', 'alpha', 'nowhere'],
  ['init', 'a', 'b'],
  ['init', 'file.txt'],
  ['import', 'carnet'],
  ['import', 'carnet', '.'],
  ['import', 'carnte', '.', 'to'],
  ['import', 'carnet', 'nowhere', 'to'],
  ['import', 'claude', '.', 'to'],
  ['export', 'skills'],
  ['export', 'skill', 'to'],
  ['export', 'skills', 'to', 'nowhere'],
  ['export', 'skills', 'file.txt'],
]

/** Valid command lines that end with an error. */
const REFUSED: readonly { readonly argv: readonly string[]; readonly error: string }[] = [
  { argv: ['prompt', '--activate', 'gamma'], error: 'skill-unknown' },
  { argv: ['tools', '--agent', 'nobody'], error: 'AGENT_UNKNOWN' },
  { argv: ['activate', 'alpha', 'gamma'], error: 'skill-unknown' },
  { argv: ['activate', 'alpha', 'alpha'], error: 'skill-already-active' },
  { argv: ['activate', 'beta', '--log', 'nowhere/run.sqlite'], error: 'LOG_UNREADABLE' },
  { argv: ['replay', '--log', 'damaged.jsonl'], error: 'LOG_FORMAT' },
  { argv: ['replay', '--log', 'empty.jsonl'], error: 'LOG_EMPTY' },
  { argv: ['replay', '--log', 'skills'], error: 'LOG_UNREADABLE' },
  { argv: ['trust', '--remove', 'skills'], error: 'NOT_TRUSTED' },
  { argv: ['show', 'skill', 'gamma'], error: 'DEFINITION_UNKNOWN' },
  { argv: ['export', 'skills', 'skills'], error: 'FILES_EXIST' },
  { argv: ['export', 'carnet', 'skills'], error: 'FOLDER_NOT_EMPTY' },
]

describe('wrong usage', () => {
  const lines = WRONG.map((argv) => ({ argv, line: argv.join(' ') }))
  test.each(lines)('loadout $line', async ({ argv }) => {
    const cwd = await project()
    await runCommand(['activate', 'alpha', '--log', 'alpha.sqlite'], { cwd })

    const plain = await runCommand(argv, { cwd })
    if (!argv.includes('--json')) {
      expect(plain).toMatchObject({ code: 2, stdout: '' })
      expect(plain.stderr).toMatch(/^loadout: [A-Z"-]/)
      expect(plain.stderr).not.toContain('internal error')
    }

    const json = await runCommand([argv[0], '--json', ...argv.slice(1)], { cwd })
    expect(json).toMatchObject({ code: 2, stdout: '' })
    expect(json.stderr.trimEnd().split('\n')).toHaveLength(1)
    const told = JSON.parse(json.stderr) as { error: object }
    expect(Object.keys(told)).toEqual(['error'])
    expect(Object.keys(told.error)).toEqual(['code', 'message', 'hint'])
  })
})

describe('answers that are errors', () => {
  const lines = REFUSED.map((one) => ({ ...one, line: one.argv.join(' ') }))
  test.each(lines)('loadout $line ends with $error', async ({ argv, error }) => {
    const cwd = await project()
    const plain = await runCommand(argv, { cwd })
    expect(plain).toMatchObject({ code: 1, stdout: '' })
    expect(plain.stderr).toContain('loadout: ')

    const json = await runCommand([...argv, '--json'], { cwd })
    expect(json).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: error, message: expect.any(String), hint: expect.any(String) },
    })
  })
})

test('errors have a message and a hint', async () => {
  const cwd = await project()
  const told: string[] = []
  for (const argv of [
    ['promt'],
    ['prompt', '--jsn'],
    ['activate', './skills'],
    ['prompt', '--activate', 'alpa'],
  ]) {
    told.push((await runCommand(argv, { cwd })).stderr)
  }
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "loadout: "promt" is neither a command nor a path.
    Did you mean "prompt"?

    loadout: Unknown option '--jsn'.
    Did you mean --json? See loadout help prompt.

    loadout: No skill is given: "./skills" is a path.
    Give paths with --path; then every argument is a skill.

    loadout: No skill is named "alpa".
    Did you mean "alpha"?
    "
  `)
})

describe('help', () => {
  const commands =
    'play prompt tools skills list show search why activate call replay build lint eval lock diff init import export trust'.split(
      ' ',
    )

  test.each(commands)('of %s ends with an example that begins with it', async (command) => {
    const cwd = await temporaryFolder()
    const { code, stdout, stderr } = await runCommand([command, '--help'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const last = stdout.trimEnd().split('\n').at(-1)
    expect(last).toMatch(
      command === 'play' ? /^ {2}loadout / : new RegExp(`^ {2}loadout ${command} `),
    )
    expect(await runCommand(['help', command], { cwd })).toEqual({ code, stdout, stderr })
  })

  test.each([
    ['mcp', 'serve'],
    ['sessions', 'list'],
  ])('of %s says which command it means alone', async (group, command) => {
    const { stdout } = await runCommand(['help', group], { cwd: await temporaryFolder() })
    expect(stdout).toContain(
      `Without a command, "loadout ${group}" means "loadout ${group} ${command}".`,
    )
  })

  test('lists every command in 80 columns', async () => {
    const { code, stdout } = await runCommand(['help'], { cwd: await temporaryFolder() })
    expect(code).toBe(0)
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

test('the version is that of the package', async () => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } })
  const { code, stdout } = await runCommand(['--version'], { cwd: '/' })
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${manifest.version}\n` })
})

test('-v is the version, too', async () => {
  expect(await runCommand(['-v'], { cwd: '/' })).toEqual(
    await runCommand(['--version'], { cwd: '/' }),
  )
})

test.each([
  { argv: ['skilsl', '--help'], message: '"skilsl" is neither a command nor a path.' },
  { argv: ['--help', 'skilsl'], message: '"skilsl" is neither a command nor a path.' },
  { argv: ['--no-color', 'skilsl', '-h'], message: '"skilsl" is neither a command nor a path.' },
  { argv: ['sessions', 'frok', '-h'], message: '"frok" is neither a command nor a path.' },
])('help for the unknown command of $argv is wrong usage', async ({ argv, message }) => {
  const { code, stdout, stderr } = await runCommand(argv, { cwd: await temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test('without a command it shows skills, tools and prompt of the nearest skills', async () => {
  const cwd = await project()
  const { code, stdout, stderr } = await runCommand([], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Skills (2)\n')
  expect(stdout).toContain('Tools (3 sent)\n')
  expect(stdout).toMatch(/^Prompt\nrequest \d+ tokens = /m)
  expect(stdout).toContain('┌─ Skill catalog ─')
  expect(await runCommand(['play', 'skills'], { cwd })).toMatchObject({ code: 0, stdout })
})

test('with --json the overview has the output of the three commands', async () => {
  const cwd = await project()
  const json = async (...argv: string[]) =>
    JSON.parse((await runCommand([...argv, '--json'], { cwd })).stdout) as unknown
  expect(await json()).toEqual({
    skills: await json('skills'),
    tools: await json('tools'),
    prompt: await json('prompt'),
  })
})

test('every command works on the workbench, with only its result on stdout', async () => {
  const cwd = await temporaryFolder()
  for (const argv of [
    ['prompt'],
    ['tools'],
    ['skills'],
    ['why', 'open_table'],
    ['activate', 'vue'],
  ]) {
    const answer = await runCommand([...argv, '--path', WORKBENCH, '--trust', '--json'], { cwd })
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    expect(() => JSON.parse(answer.stdout)).not.toThrow()
  }
})

test('without skills there is a message, and no error', async () => {
  const cwd = await temporaryFolder()
  const { code, stdout, stderr } = await runCommand(['skills'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^SKILL {2}STATUS {2}TOOLS {2}TOKENS {2}DESCRIPTION\nrequest 0 tokens/)
  expect(stderr).toBe(
    'loadout: no skills were found in .agents/skills, .claude/skills, .loadout/skills, skills, tools, toolsets, agents, rules.\n' +
      '  Give a folder that contains skills, or create one: loadout init. "loadout doctor" lists skills elsewhere.\n',
  )
  const below = await runCommand(['skills', '.'], { cwd })
  expect(below.stderr).toContain(`no skills were found in ${join(cwd)}`)
})

test.each(['bogus', 'tab ctrl+bogus', 'Enter'])('--keys %j is an unknown key', async (keys) => {
  const cwd = await temporaryFolder()
  const { code, stderr } = await runCommand(['play', '--snapshot', 'text', '--keys', keys], {
    cwd,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(`Unknown key "${keys.split(' ').at(-1)}". Use letters and up, down`)
})
