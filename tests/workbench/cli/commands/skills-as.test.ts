import { expect, test } from 'vitest'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const text = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`

test('a client is asked for: its list in its order, with what is cut, dropped and hidden', async () => {
  const cwd = await temporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.agents/skills/notes/SKILL.md': text('notes', 'Write notes.'),
    '.agents/skills/long/SKILL.md': text('long', 'x'.repeat(1100)),
    '.agents/skills/none/SKILL.md': '---\nname: none\n---\nBody.\n',
    '.claude/skills/mine/SKILL.md': text('other', 'For Claude.'),
  })
  const json = await runCommand(['skills', '--as', 'codex', '--json'], { cwd })
  const list = JSON.parse(json.stdout) as { name: string; description: string; builtIn: boolean }[]
  expect(list.filter(({ builtIn }) => !builtIn)).toMatchObject([
    { name: 'long', outcome: 'cut', shown: 1024 },
    { name: 'notes', description: 'Write notes.', outcome: 'listed' },
  ])
  expect(list[0]).toMatchObject({ name: 'imagegen', builtIn: true })
  const { stdout } = await runCommand(['skills', '--as', 'codex'], { cwd })
  expect(stdout).toContain('Not listed (dropped): none: it has no description')
  const claude = await runCommand(['skills', '--as', 'claude-code@2.2', '--json'], { cwd })
  expect(JSON.parse(claude.stdout)).toMatchObject([
    { name: 'mine (other)', description: 'For Claude.' },
    ...Array.from({ length: 13 }, () => ({ builtIn: true })),
  ])
  expect(claude.stderr).toContain('checked with 2.1.328; 2.2 may differ')
})

test('a window decides what has room, and the picture says where the list ends', async () => {
  const cwd = await temporaryFolder(
    Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `.claude/skills/s${at}/SKILL.md`,
        text(`s${at}`, 'word '.repeat(100).trim()),
      ]),
    ),
  )
  const args = ['skills', '--as', 'claude-code', '--model', 'claude-sonnet-4-5']
  const { stdout } = await runCommand([...args, '--window', '200k'], { cwd })
  expect(stdout).toContain('of 8,000 characters')
  expect(stdout).toContain('200k: ends at s3')
  expect(stdout).toContain('1M: all are whole')
  expect(stdout).toContain('skillListingBudgetFraction')
  expect(stdout).toMatch(/s8\s+project\s+name only, its description has no room/)
})
