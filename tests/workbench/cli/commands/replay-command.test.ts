import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'loadout.config.json': JSON.stringify({
    skills: ['skills'],
    agents: [{ name: 'support', skills: ['alpha', 'beta'], initialSkills: ['beta'] }],
  }),
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
  'skills/gamma/SKILL.md': skillText('gamma'),
}

/** A project with a log: beta from the start, alpha activated, gamma refused, echo called. */
async function recorded() {
  const cwd = await temporaryFolder(tree)
  const log = ['--trust', '--log', 'run.sqlite']
  await runCommand(['activate', 'alpha', '--agent', 'support', ...log], { cwd })
  await runCommand(['activate', 'gamma', ...log], { cwd })
  await runCommand(['call', 'echo', ...log], { cwd })
  return cwd
}

test('--json prints the session and its state, with ordered keys', async () => {
  const cwd = await recorded()
  const { code, stdout } = await runCommand(['replay', '--log', 'run.sqlite', '--json'], { cwd })
  expect(code).toBe(0)
  const report = JSON.parse(stdout) as Record<string, unknown>
  expect(Object.keys(report)).toEqual(['session', 'entries', 'seq', 'state', 'skills', 'tools'])
  expect(report).toMatchObject({
    entries: 7,
    seq: 6,
    state: { agent: 'support', mode: 'text', turn: 0, step: 0, used: [{ tool: 'echo', count: 1 }] },
    skills: ['beta', 'alpha'],
  })
})

test('the text has one line per entry, including refusals, then the state', async () => {
  const cwd = await recorded()
  const { stdout } = await runCommand(['replay', '--trust', '--log', 'run.sqlite'], { cwd })
  const steady = stdout
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d+ ms/g, 'N ms')
  expect(steady).toMatchInlineSnapshot(`
    "#0 when the session opened: session "ID" opened for the agent "support", in text mode
    #1 when the session opened: global tools of "loadout" registered, with 3 tools
    #2 when the session opened: skill "beta" activated, with 0 tools
    #3 by the user: skill "alpha" activated, with 1 tool
    #4 by the user: REFUSED skill.activate "gamma" (not-permitted): The agent "support" may not activate the skill "gamma".
    #5 by the user: "echo" called (ID)
    #6 by the user: "echo" answered after N ms (ID)
    turn and step: 0 and 0
    active skills: beta, alpha
    available tools: loadSkill, loadSkillFile, unloadSkill, echo
    "
  `)
})

test('--at selects an entry in every command that only reads', async () => {
  const cwd = await recorded()
  const json = async (command: string, at: string) => {
    const argv = [command, '--trust', '--log', 'run.sqlite', '--at', at, '--json']
    return JSON.parse((await runCommand(argv, { cwd })).stdout)
  }
  expect(await json('replay', '2')).toMatchObject({ entries: 3, skills: ['beta'] })
  expect(await json('replay', '0')).toMatchObject({ entries: 1, skills: [], tools: [] })
  const status = async (at: string) =>
    ((await json('skills', at)) as { name: string; status: string }[])
      .filter(({ status }) => status === 'active')
      .map(({ name }) => name)
  expect(await status('2')).toEqual(['beta'])
  expect(await status('3')).toEqual(['alpha', 'beta'])
})

test('reading commands never write, even with --activate', async () => {
  const cwd = await recorded()
  const before = await readFile(join(cwd, 'run.sqlite'))
  for (const command of ['prompt', 'tools', 'skills', 'replay', 'play']) {
    const activated = command === 'replay' ? [] : ['--activate', 'alpha']
    for (const more of [[], ['--at', '2', ...activated]]) {
      const argv = [command, '--trust', '--log', 'run.sqlite', ...more]
      expect(await runCommand(argv, { cwd })).toMatchObject({ code: 0, stderr: '' })
    }
  }
  expect(await readFile(join(cwd, 'run.sqlite'))).toEqual(before)
})

test('a session is shown with its skills even if they and its agent are not defined', async () => {
  const cwd = await recorded()
  const elsewhere = await temporaryFolder()
  const log = join(cwd, 'run.sqlite')
  const { code, stdout, stderr } = await runCommand(['replay', '--log', log], { cwd: elsewhere })
  expect(code).toBe(0)
  expect(stdout).toContain('#3 by the user: skill "alpha" activated')
  expect(stderr).toContain('The definitions are those of the log.')
  expect(stdout).toContain('active skills: beta, alpha\n')
  expect(stdout).toContain(', echo\n')
  const changing = await runCommand(['activate', 'alpha', '--log', log], { cwd: elsewhere })
  expect(changing).toMatchObject({ code: 1, stdout: '' })
  expect(changing.stderr).toContain('The session runs as the agent "support"')
})

test('another agent cannot continue a session', async () => {
  const cwd = await temporaryFolder(tree)
  await runCommand(['activate', 'alpha', '--log', 'run.sqlite'], { cwd })
  const argv = ['activate', 'beta', '--agent', 'support', '--log', 'run.sqlite', '--json']
  const { code, stderr } = await runCommand(argv, { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'SESSION_MISMATCH' } })
})

test('damage in the middle of a log is an error with its place', async () => {
  const cwd = await recorded()
  const log = ['--log', 'run.sqlite']
  const [{ session }] = JSON.parse(
    (await runCommand(['sessions', 'list', ...log, '--json'], { cwd })).stdout,
  ).sessions
  await runCommand(['sessions', 'export', session, ...log, '--out', 'run.jsonl'], { cwd })
  await appendFile(join(cwd, 'run.jsonl'), '{"seq":7}\n')
  const { code, stdout, stderr } = await runCommand(['replay', '--log', 'run.jsonl'], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^loadout: .*run\.jsonl/)
})

test('a missing log is an error with its name, and a session without skills is no warning', async () => {
  const cwd = await temporaryFolder({})
  const missed = await runCommand(['replay', 'nope.jsonl'], { cwd })
  expect({ code: missed.code, stderr: missed.stderr }).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "loadout: No log exists at "nope.jsonl".
    Create one: loadout activate <skill> --log <file>.
    ",
    }
  `)
  await runCommand(['prompt', '--session', 'one', '--log', 'run.sqlite'], { cwd })
  await runCommand(['activate', 'alpha', '--log', 'run.sqlite'], { cwd })
  const { stderr } = await runCommand(['replay', 'run.sqlite'], { cwd })
  expect(stderr).toBe('')
})

test('--activate is refused: what is not in the log is not printed', async () => {
  const cwd = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  await runCommand(['activate', 'alpha', 'skills', '--log', 'run.sqlite'], { cwd })
  const { code, stdout, stderr } = await runCommand(
    ['replay', 'run.sqlite', 'skills', '--activate', 'alpha'],
    { cwd },
  )
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('--activate')
})
