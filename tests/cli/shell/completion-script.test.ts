import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell], { cwd: await temporaryFolder() })
  expect(code).toBe(0)
  return stdout
}

test.each([
  { words: ['loadout', ''], offers: ['activate', 'sessions', 'completion', '--help'] },
  { words: ['loadout', 'le'], offers: [] },
  { words: ['loadout', 'li'], offers: ['list', 'lint'], all: true },
  { words: ['loadout', 'sessions', 'pr'], offers: ['prune'], all: true },
  { words: ['loadout', 'sessions', 'prune', '--o'], offers: ['--older-than'], all: true },
  { words: ['loadout', 'list', '--ag'], offers: ['--agent'], all: true },
  { words: ['loadout', 'sessions', 'list', '--ag'], offers: [], all: true },
  { words: ['loadout', 'why', 'list', '--at'], offers: ['--at'], all: true },
])('bash completes $words', async ({ words, offers, all = false }) => {
  const run = `${await script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loadout; printf '%s\\n' "${'$'}{COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', run, 'bash', ...words], { encoding: 'utf8' })
  const offered = output.split('\n').filter((word) => word !== '')
  expect(offered).toEqual(all ? offers : expect.arrayContaining(offers))
})

test('zsh runs the same function', async () => {
  const zsh = await script('zsh')
  expect(zsh).toContain('bashcompinit')
  expect(zsh.endsWith(await script('bash'))).toBe(true)
})

test('fish gets a line for each command and option', async () => {
  const lines = (await script('fish')).split('\n')
  expect(lines.filter((line) => / -a (?:trust|prune) /.test(line) || line.includes('older-than')))
    .toMatchInlineSnapshot(`
    [
      "complete -c loadout -n '__fish_use_subcommand' -a trust -d 'Allow the code in a folder to run: configuration, tools, handlers'",
      "complete -c loadout -n '__fish_seen_subcommand_from sessions' -a prune -d 'Permanently delete old sessions and unused definitions'",
      "complete -c loadout -n '__fish_seen_subcommand_from sessions; and __fish_seen_subcommand_from prune' -l older-than -r -d 'Age of the last entry: 12h, 30d, 8w'",
    ]
  `)
})

test('another shell is refused', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh'], { cwd: await temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
