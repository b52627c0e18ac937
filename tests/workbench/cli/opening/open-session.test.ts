import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createCatalog, defineAgent, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openingRemark } from '../../../../src/workbench/cli/commands/play/play-on-terminal.ts'
import type { CliContext } from '../../../../src/workbench/cli/shell/cli-context.ts'
import { openSession } from '../../../../src/workbench/cli/opening/open-session.ts'
import { activeSkills } from '../../../../src/engine/standing/assess-skill.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { aSkill } from '../../../workspace/a-workspace.ts'
import { runCommand } from '../run-command.ts'

/** The context of a command in a folder; logs are closed when the test is over. */
function contextIn(cwd: string): CliContext {
  const ends: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const end of ends) await end()
  })
  return {
    cwd,
    home: join(cwd, 'home'),
    env: {},
    trustFile: join(cwd, 'node_modules/trust.json'),
    stdin: Readable.from([]),
    stdout: { write: () => true },
    stderr: { write: () => true },
    isTerminal: false,
    columns: 80,
    colour: false,
    onInterrupt: () => () => {},
    finish: async () => {},
    onEnd: (work) => ends.unshift(work),
  }
}

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  'skills/beta/SKILL.md': skillText('beta'),
}

test.each(['look', 'keep'] as const)(
  'a followed session has the entries of other processes, opened to %s',
  async (purpose) => {
    const cwd = await temporaryFolder(TREE)
    const home = join(cwd, 'home')
    const context = contextIn(cwd)
    await runCommand(['activate', 'alpha', 'skills', '--session', 's'], { cwd, home })
    const options = { session: 's' }
    const { workspace } = await openSession(['skills'], options, context, purpose, { follow: true })
    const changed = new Promise<void>((resolve) => {
      workspace.store.subscribe(() => resolve())
    })
    await runCommand(['activate', 'beta', 'skills', '--session', 's'], { cwd, home })
    await changed
    expect(activeSkills(workspace.state)).toEqual(['alpha', 'beta'])
    await workspace.close()
  },
)

const OTHERS = {
  ...TREE,
  'other/alpha/SKILL.md': skillText('alpha'),
  'third/gamma/SKILL.md': skillText('gamma'),
}

/** A session on the skills alpha and beta, and how to continue it on those of another folder. */
async function continued(folder: string, purpose: 'keep' | 'change') {
  const cwd = await temporaryFolder(OTHERS)
  const stderr: string[] = []
  const context = { ...contextIn(cwd), stderr: { write: (text: string) => stderr.push(text) > 0 } }
  await runCommand(['activate', 'alpha', 'skills', '--session', 's'], {
    cwd,
    home: join(cwd, 'home'),
  })
  const open = (policy: 'keep' | 'replace') =>
    openSession([folder], { session: 's', policy }, context, purpose)
  return { open, stderr }
}

test.each(['keep', 'change'] as const)(
  'a session none of whose skills are here is not opened to %s, unless its rules are replaced',
  async (purpose) => {
    const { open } = await continued('third', purpose)
    await expect(open('keep')).rejects.toMatchObject({
      code: 'CATALOG_OTHER',
      message: 'The session has the skills "alpha", "beta", and none of them is defined here.',
    })
    const { workspace } = await open('replace')
    expect(workspace.explainSkill('gamma').status).toBe('inactive')
  },
)

test('a session some of whose skills are elsewhere is opened with a notice', async () => {
  const { open, stderr } = await continued('other', 'keep')
  expect(await open('keep')).toMatchObject({ live: true })
  expect(stderr.join('')).toContain('has skills that are not defined here: "beta".')
})

test('continuing without the definition of the agent is an error', async () => {
  const agent = '---\nname: clerk\ndescription: D.\n---\nYou are a clerk.\n'
  const cwd = await temporaryFolder({ ...TREE, 'agents/clerk/AGENT.md': agent })
  const shared = { cwd, home: join(cwd, 'home') }
  const kept = ['--agent', 'clerk', '--session', 's', '--trust']
  await runCommand(['activate', 'alpha', '.', ...kept], shared)
  const { code, stderr } = await runCommand(
    ['activate', 'beta', 'skills', '--session', 's'],
    shared,
  )
  expect(code).toBe(1)
  expect(stderr).toBe(
    'loadout: The session runs as the agent "clerk", which is not defined here.\n' +
      'Give the folder that defines it, with --trust if it is defined in code.\n',
  )
})

test('the playground looks at a session whose skills are in the code of its host', async () => {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const catalog = await createCatalog({
    skills: [aSkill('owls')],
    agents: [defineAgent({ name: 'a' })],
  })
  const host = await VirtualWorkspace.open({ catalog, log, session: 's', agent: 'a' })
  const { seq } = host.state
  const options = { log: 'run.sqlite', session: 's' }
  const open = await openSession([], options, contextIn(cwd), 'keep', { follow: true })
  expect(open).toMatchObject({ live: false, fromLog: true })
  expect(openingRemark(open)).toContain('from the log: no panels')
  await expect(
    openSession([], { ...options, policy: 'replace' }, contextIn(cwd), 'keep'),
  ).rejects.toMatchObject({ message: 'The session is opened read-only.' })
  expect(open.workspace.explainSkill('owls').status).toBe('inactive')
  const changed = new Promise<void>((resolve) => {
    open.workspace.store.subscribe(() => resolve())
  })
  await host.activateSkill('owls')
  await changed
  expect(open.workspace.isToolAvailable('owls_tool')).toBe(true)
  expect(open.workspace.prompt().text).toBe(host.prompt().text)
  expect(await host.entries(seq + 1)).toHaveLength(1)
  await open.workspace.close()
  await log.close()
})
