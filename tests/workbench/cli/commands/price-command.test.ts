import { join } from 'node:path'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { loadSkills } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
}

test('the ways are listed for one provider, cheapest first, with the advice', async () => {
  const cwd = await temporaryFolder(TREE)
  const argv = ['price', 'skills', '--provider', 'openai/gpt-5.4', '--trust']
  const { code, stdout, stderr } = await runCommand(argv, { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  // The prompt has the path of the folder, whose length differs.
  expect(stdout.replaceAll(/[0-9][0-9,]* */g, 'N ')).toMatchInlineSnapshot(`
    "openai/gpt-N .N 
    price  tokens  requests  first  exposure      way
    N N N N conversation  always
    N N N N conversation  loaded
    N N N N conversation  activated
    N N N N conversation  searched
    N tool, used in most sessions: send all of them in every request, without skills. That costs N tokens a session; letting the model load skills costs N % more.
    "
  `)
})

test('--json has a plan for every provider, and --exposure holds in all of them', async () => {
  const cwd = await temporaryFolder(TREE)
  const { stdout } = await runCommand(['price', 'skills', '--exposure', 'append', '--json'], {
    cwd,
  })
  const plans: readonly {
    readonly provider: string
    readonly ways: readonly { readonly exposure: string }[]
  }[] = JSON.parse(stdout)
  expect(plans.map(({ provider }) => provider)).toEqual([
    'anthropic',
    'openai',
    'google',
    'compatible',
  ])
  const used = plans.flatMap(({ ways }) => ways.map(({ exposure }) => exposure))
  expect(new Set(used)).toEqual(new Set(['append']))
})

/** Records a session of one turn, in which a model loads a skill and calls its tool. */
async function recorded(cwd: string) {
  const { skills } = await loadSkills([join(cwd, 'skills')])
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const catalog = await createCatalog({ skills })
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 'one' })
  await workspace.beginTurn({ by: 'user' })
  await workspace.beginStep()
  await workspace.callTool('loadSkill', { skillName: 'alpha' }, { caller: 'model' })
  await workspace.beginStep()
  await workspace.close()
  await log.close()
}

test('a recorded session is played again', async () => {
  const cwd = await temporaryFolder(TREE)
  await recorded(cwd)
  const argv = ['price', 'skills', '--provider', 'openai', '--log', 'run.sqlite', '--json']
  const { code, stdout } = await runCommand(argv, { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([{ sessions: 1, ways: [{ requests: 1 }, {}, {}] }])
})

test.each([
  [['--provider', 'antropic'], 1, 'Did you mean "anthropic"?'],
  [['--exposure', 'none'], 2, 'Allowed choices are'],
  [['--log', 'run.sqlite'], 1, '"traces" has no turns.'],
])('%j ends with %i', async (options, code, message) => {
  const cwd = await temporaryFolder(TREE)
  await runCommand(['activate', 'beta', 'skills', '--log', 'run.sqlite'], { cwd })
  const ended = await runCommand(['price', 'skills', ...options], { cwd })
  expect(ended.code).toBe(code)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toContain(message)
})

test('without tools there is nothing to choose, and no way is listed', async () => {
  const cwd = await temporaryFolder({ 'skills/beta/SKILL.md': skillText('beta') })
  const { code, stdout } = await runCommand(['price', 'skills'], { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'No skill brings a tool: there is nothing to choose.\n',
  })
})
