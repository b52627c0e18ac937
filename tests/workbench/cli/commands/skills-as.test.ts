import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
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

test('a skill is asked for in all clients: one column each, with what happens and why', async () => {
  const cwd = await temporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    ...Object.fromEntries(
      ['.claude', '.agents'].map((folder) => [
        `${folder}/skills/plan/SKILL.md`,
        '---\nname: plan\ndescription: Note: read first\nargument-hint: [a] [b]\n---\nBody.\n',
      ]),
    ),
  })
  const { stdout, code } = await runCommand(['why', 'plan', '--as', 'all', '--json'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { client: 'claude-code', outcome: 'listed', description: 'Note: read first' },
    { client: 'codex', outcome: 'listed' },
    { client: 'opencode', outcome: 'dropped', line: 4 },
    { client: 'opencode', outcome: 'dropped' },
    { client: 'pi', outcome: 'dropped', line: 3 },
    { client: 'gemini-cli', outcome: 'listed', description: 'Note: read first' },
    { client: 'qwen-code', outcome: 'listed', description: 'Note: read first' },
  ])
  const text = await runCommand(['why', 'plan', '--as', 'all'], { cwd })
  expect(text.stdout).toMatch(/CLAUDE-CODE\s+CODEX\s+OPENCODE\s+PI\s+GEMINI-CLI\s+QWEN-CODE/)
  expect((await runCommand(['why', 'nothing', '--as', 'all'], { cwd })).code).toBe(1)
})

test('lint for clients says what each does with a file, with its line, instead of rules in general', async () => {
  const cwd = await temporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.agents/skills/group/deep/SKILL.md':
      '---\nname: deep\ndescription: Deep: down\nuser-invocable: true\n---\nBody.\n',
    '.codex/skills/bare/SKILL.md': '---\nname: bare\n---\nBody.\n',
  })
  const lint = async (clients: string) => {
    const { stdout } = await runCommand(['lint', '--for', clients, '--json'], { cwd })
    const { items } = JSON.parse(stdout) as {
      items: { path: string; diagnostics: { code: string; message: string; line: number }[] }[]
    }
    const all = items.flatMap(({ diagnostics }) => diagnostics)
    expect(all.filter(({ code }) => code.startsWith('portable-'))).toEqual([])
    return all.filter(({ code }) => code === 'client-list')
  }
  expect(await lint('pi')).toMatchObject([
    {
      line: 3,
      message: expect.stringContaining('pi 0.73.1 does not list the skill: invalid YAML'),
    },
  ])
  expect(await lint('codex')).toMatchObject([
    { message: 'Codex 0.169.0 does not list the skill: it has no description.' },
  ])
})

test('a link of a SKILL.md to a file that is not Markdown is not read', async () => {
  const cwd = await temporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.claude/skills/good/SKILL.md': text('good', 'Is read.'),
    '.claude/skills/key/other.md': 'x',
    'secret/token': 'the-token\n',
  })
  await symlink(join(cwd, 'secret/token'), join(cwd, '.claude/skills/key/SKILL.md'))
  const { stdout } = await runCommand(['skills', '--as', 'all'], { cwd })
  expect(stdout).toContain('Is read.')
  expect(stdout).not.toContain('the-token')
})

test('a skill that one client cannot read under its name is dropped there, and not said to be missing', async () => {
  const cwd = await temporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.claude/skills/folder/SKILL.md': '---\nname: bill\ndescription: @x pay a bill\n---\nBody.\n',
  })
  const { stdout } = await runCommand(['why', 'bill', '--as', 'all', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject([
    { client: 'claude-code', outcome: 'listed' },
    { client: 'codex', outcome: 'not found' },
    { client: 'opencode', outcome: 'dropped', line: 3 },
    { client: 'pi', outcome: 'not found' },
    { client: 'gemini-cli', outcome: 'not found' },
    { client: 'qwen-code', outcome: 'not found' },
  ])
})

test('an order that a client leaves to chance is said once', async () => {
  const cwd = await temporaryFolder({
    '.gemini/skills/a/SKILL.md': text('a', 'First.'),
    '.agents/skills/b/SKILL.md': text('b', 'Second.'),
    '.agents/skills/c/SKILL.md': text('c', 'Third.'),
  })
  const { stdout } = await runCommand(['skills', '--as', 'gemini-cli'], { cwd })
  expect(stdout).toMatch(/skill-creator[^]*First\.[^]*Third\.[^]*Second\./)
  expect(stdout.match(/Unknown: .*/g)).toEqual([
    'Unknown: Gemini CLI may exchange neighbours of a folder by chance.',
  ])
})

test('Qwen Code reads the lines of front matter, which is not all of YAML', async () => {
  const cwd = await temporaryFolder({
    '.qwen/skills/block/SKILL.md': text('block', '>-\n  Several lines\n  of text.'),
    '.qwen/skills/listed/SKILL.md': text('listed', 'One.\npaths: [src/**]'),
    '.qwen/skills/named/SKILL.md': text('my name', 'Two.'),
  })
  const { stdout } = await runCommand(['why', 'block', '--as', 'qwen-code', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'cut', description: '>-', line: 3 }])
  const all = await runCommand(['skills', '--as', 'qwen-code'], { cwd })
  expect(all.stdout).toMatch(/Not listed \(dropped\): listed: "paths" is no list \(.*:4\)/)
  expect(all.stdout).toMatch(/Not listed \(dropped\): named: its name has other signs .*:2\)/)
})
