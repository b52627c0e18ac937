import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeAllTables } from '../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import { skillText, temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'
import { WORKBENCH } from './workbench.ts'

afterAll(removeAllTables)

/** The examples of a command's help, split as a shell does. */
async function examplesOf(command: string, cwd: string): Promise<readonly string[][]> {
  const { stdout } = await runCommand(['help', ...command.split(' ')], { cwd })
  const lines = stdout.split('\n').filter((line) => line.startsWith('  loadout '))
  return lines.map((line) => {
    const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    return words.slice(1)
  })
}

/** In an order in which each command finds what it needs; `delete` comes last. */
const SESSIONS = 'list show fork export import repair'.split(' ')

test('every example in the help works, one after another', async () => {
  const cwd = await temporaryFolder({
    'superpowers/.claude-plugin/plugin.json': '{ "name": "superpowers" }',
    'superpowers/skills/plan/SKILL.md': skillText('plan'),
  })
  await symlink(join(WORKBENCH, '..'), join(cwd, 'examples'))
  const seen: string[] = []
  const env = { LOADOUT_LOG: 'kept.sqlite' }
  const first = 'activate data-analysis web-reader examples/workbench --session first'
  await runCommand(first.split(' '), { cwd, env })
  const commands = [
    ...'play prompt tools skills list show search why activate call replay'.split(' '),
    ...SESSIONS.map((name) => `sessions ${name}`),
    ...'build lint lock eval diff init import export'.split(' '),
    'sessions delete',
    'trust',
  ]
  await runCommand('sessions export first --out run.jsonl'.split(' '), { cwd, env })
  for (const command of commands) {
    for (const argv of await examplesOf(command, cwd)) {
      const { code, stdout, stderr } = await runCommand(argv, { cwd, env })
      expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({
        argv,
        code: 0,
        stderr: '',
      })
      expect(stdout).not.toBe('')
      seen.push(command)
    }
  }
  expect([...new Set(seen)]).toEqual(commands)
})
