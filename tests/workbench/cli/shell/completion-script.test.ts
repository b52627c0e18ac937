import { execFileSync, spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell], { cwd: await temporaryFolder() })
  expect(code).toBe(0)
  return stdout
}

const ROWS: readonly {
  readonly line: string
  readonly offers: readonly string[]
  /** False when others are offered, too. */
  readonly all?: boolean
}[] = [
  { line: 'loadout ', offers: ['activate', 'sessions', 'completion'], all: false },
  { line: 'loadout zz', offers: [] },
  { line: 'loadout li', offers: ['lint', 'list'] },
  { line: 'loadout sessions pr', offers: ['prune'] },
  { line: 'loadout sessions prune --o', offers: ['--older-than'] },
  { line: 'loadout prompt $(>ran) --js', offers: ['--json'] },
  { line: 'loadout prompt --part ', offers: ['conversation', 'instructions'] },
  { line: 'loadout list ', offers: [] },
  { line: 'loadout prompt --log list --js', offers: ['--json'] },
  { line: 'loadout owls --snap', offers: ['--snapshot'] },
  { line: 'loadout sessions --lo', offers: ['--log'] },
  { line: 'loadout prompt --part=conv', offers: ['--part=conversation'] },
  { line: 'loadout prompt --part conv', offers: ['conversation'] },
  { line: 'loadout prompt --log ', offers: [] },
  { line: 'loadout completion f', offers: ['fish'] },
  { line: 'loadout list --ag', offers: ['--agent'] },
  { line: 'loadout sessions list --ag', offers: [] },
  { line: 'loadout why list --at', offers: ['--at'] },
]

/** Types a line into a zsh with the script, presses Tab, and prints what zsh is given to choose from. */
const TYPE_INTO_ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste; stty -echo; source $1; print -r ECHO''OFF"
zpty -r shell read '*ECHOOFF*'
zpty -w shell 'compadd() {
  local -a offered
  builtin compadd -O offered "$@"
  print -r -- "<\${(j: :)offered}>"
}'
zpty -w shell 'print -r READ''Y'
zpty -r shell read '*READY*'
zpty -n -w shell "$2"$'\\t'
zpty -r shell read '*<*>*'
print -r -- "$read"
zpty -d shell`

/** The ways to see what a shell offers for a line, by the script in a file. */
const SHELLS: Readonly<Record<string, (file: string, line: string) => readonly string[]>> = {
  bash: (file, line) => [
    '-c',
    'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loadout; echo "<${COMPREPLY[*]}>"',
    file,
    ...line.split(' '),
  ],
  zsh: (file, line) => ['-f', '-c', TYPE_INTO_ZSH, 'zsh', file, line],
  fish: (file, line) => [
    '--no-config',
    '-c',
    'source $argv[1]; echo "<"(complete -C $argv[2] | cut -f1 | string join " ")">"',
    file,
    line,
  ],
}

const installed = Object.keys(SHELLS).filter((shell) => {
  return spawnSync(shell, ['-c', 'exit'], { stdio: 'ignore' }).status === 0
})

test('at least one shell is there to try', () => {
  console.log(
    `Completion is tried in ${installed.join(', ')}, of ${Object.keys(SHELLS).join(', ')}.`,
  )
  expect(installed).not.toEqual([])
})

// A zsh takes seconds to begin, and is silent when it has nothing to offer.
const ofZsh = ROWS.filter(({ offers }) => offers.length > 0).slice(0, 10)

const tried = installed.flatMap((shell) =>
  (shell === 'zsh' ? ofZsh : ROWS).map((row) => ({ shell, ...row })),
)

test.each(tried)('$shell completes "$line"', async ({ shell, line, offers, all = true }) => {
  const folder = await temporaryFolder()
  // The folder in which it is tried is empty: shells also offer names of files.
  const file = join(await temporaryFolder(), 'completion')
  await writeFile(file, await script(shell))
  const given = SHELLS[shell]?.(file, line) ?? []
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb' }
  const output = execFileSync(shell, given, {
    encoding: 'utf8',
    cwd: folder,
    env,
    timeout: 300_000,
  })
  // What is typed before the cursor is not run.
  expect(await readdir(folder)).not.toContain('ran')
  const [, words = ''] = /<([^<>]*)>/u.exec(output) ?? []
  const offered = words.split(' ').filter((word) => word !== '')
  if (all) expect(offered.toSorted()).toEqual(offers)
  else expect(offered).toEqual(expect.arrayContaining([...offers]))
})

test('fish gets a line for each command and option', async () => {
  const lines = (await script('fish')).split('\n')
  expect(lines.filter((line) => /^complete.* (?:-a trust|-a prune|-l older-than) /.test(line)))
    .toMatchInlineSnapshot(`
      [
        "complete -c loadout -n '__loadout_is_at ""' -a trust -d 'Allow the code in a folder to run: configuration, tools, handlers'",
        "complete -c loadout -n '__loadout_is_at "sessions"' -a prune -d 'Permanently delete old sessions and unused definitions'",
        "complete -c loadout -n '__loadout_is_at "sessions/prune"' -l older-than -r -d 'Age of the last entry: 12h, 30d, 8w'",
      ]
    `)
})

test('another shell is refused', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh'], { cwd: await temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
