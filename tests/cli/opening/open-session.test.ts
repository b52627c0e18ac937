import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { CliContext } from '../../../src/cli/shell/cli-context.ts'
import { openSession } from '../../../src/cli/opening/open-session.ts'
import { activeSkills } from '../../../src/engine/standing/assess-skill.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  'skills/beta/SKILL.md': skillText('beta'),
}

test.each(['look', 'keep'] as const)(
  'a followed session has the entries of other processes, opened to %s',
  async (purpose) => {
    const cwd = await temporaryFolder(TREE)
    const home = join(cwd, 'home')
    const ends: (() => Promise<void>)[] = []
    const context: CliContext = {
      cwd,
      home,
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
    onTestFinished(async () => {
      for (const end of ends) await end()
    })
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
