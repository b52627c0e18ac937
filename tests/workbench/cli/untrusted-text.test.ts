import { expect, test } from 'vitest'
import { temporaryFolder, toolTree } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** A clipboard write, a title, a clear screen by C1, a bidi override, a line break, a zero width space. */
const HOSTILE =
  'x\\e]52;c;cm0=\\a \\e]0;title\\a \\x9b2J \\u202Edesrever\\u202C \\r\\nnext \\u200B end'

const tree = {
  'skills/evil/SKILL.md': `---
name: evil
description: "${HOSTILE}"
metadata:
  loadout.displayName: "Name ${HOSTILE}"
---

Body \u001B]52;c;cm0=\u0007 \u009B2J \u202Ereversed\u202C
`,
  ...toolTree(
    'skills/evil/tools/echo',
    "export const execute = () => ({ '\\u001b[2J\\u202e': '\\u009b2J\\u0007' })\n",
  ),
  'skills/bad/SKILL.md': '---\nname: "bad\\e[2J"\ndescription: \u001B]52;c;cm0=\u0007\n---\n',
}

const RAW = /[[\p{Cc}\p{Bidi_Control}\u200B]--[\n]]/v

test.each([
  ['prompt'],
  ['prompt', '--format', 'text'],
  ['prompt', '--format', 'xml'],
  ['prompt', '--json'],
  ['tools'],
  ['tools', '--json'],
  ['skills'],
  ['skills', '--json'],
  ['skills', '--verbose'],
  ['play'],
  ['play', '--json'],
  ['why', 'evil'],
  ['why', 'evil\u001B[2J\u202E'],
  ['why', 'evil\u001B[2J\u202E', '--json'],
  ['prompt', 'no\u001B[2Jwhere'],
  ['prompt', 'no\u001B[2Jwhere', '--json'],
  ['prompt', '--\u001B[2J'],
  ['activate', 'echo\u001B[2J'],
  ['call', 'echo'],
  ['call', 'echo', '--json'],
  ['call', 'no\u001B[2J'],
  ['trust', 'no\u001B[2Jwhere'],
])('loadout %s prints no raw control byte, on a terminal or into a pipe', async (...argv) => {
  const cwd = await temporaryFolder(tree)
  const on = argv[0] === 'trust' || argv[0] === 'activate' ? [] : ['--activate', 'evil', '--trust']
  for (const columns of [undefined, 80]) {
    const { stdout, stderr } = await runCommand([...argv, ...on], {
      cwd,
      ...(columns === undefined ? {} : { columns }),
    })
    expect(stdout + stderr).not.toBe('')
    expect(stdout).not.toMatch(RAW)
    expect(stderr).not.toMatch(RAW)
  }
})

test('hostile names in a log are shown safely', async () => {
  const cwd = await temporaryFolder(tree)
  await runCommand(['activate', 'evil', '--log', 'run.sqlite'], { cwd })
  await runCommand(['call', 'x\u001B[2J\u202E', '--log', 'run.sqlite'], { cwd })
  for (const more of [[], ['--json']]) {
    const { code, stdout } = await runCommand(['replay', '--log', 'run.sqlite', ...more], { cwd })
    expect(code).toBe(0)
    expect(stdout).not.toMatch(RAW)
  }
  const { stdout } = await runCommand(['replay', '--log', 'run.sqlite'], { cwd })
  expect(stdout).toContain('<U+001B>[2J<U+202E>')
})

test.each([
  ['list', '--verbose'],
  ['list', '--tree'],
  ['list', '--json'],
  ['show', 'skill', 'evil'],
  ['show', 'skill', 'evil', '--json'],
  ['show', 'tool', 'echo'],
  ['show', 'skill', 'e\u001B[2Jvil'],
  ['show', 's\u001B[2Jkill', 'evil'],
  ['lint'],
  ['init', 'in\u001B[2J\u202E'],
  ['import', 'carnet', '.', 'to\u001B[2J'],
  ['import', 'claude', '.', 'to\u001B[2J'],
  ['import', 'claude', '.', 'to\u001B[2J', '--json'],
  ['export', 'skills', 'to\u001B[2J', '--verbose'],
  ['export', 'skills', 'to\u001B[2J', '--json'],
  ['export', 'carnet', 'to\u001B[2J', '--verbose'],
])('nor does loadout %s %s %s', async (...argv) => {
  const commands = {
    [`.claude/commands/a\u001B[2J.md`]: '---\ndescription: "x\\e[2J"\nmo\u202Edel: x\n---\nGo.\n',
    '.claude/settings.json': '{"permissions":{"deny":["B\\u001b[2J(x)"]},"h\\u202eooks":{}}',
  }
  const cwd = await temporaryFolder({ ...tree, ...commands })
  for (const columns of [undefined, 80]) {
    const { stdout, stderr } = await runCommand(argv, {
      cwd,
      ...(columns === undefined ? {} : { columns }),
    })
    expect(stdout + stderr).not.toBe('')
    expect(stdout).not.toMatch(RAW)
    expect(stderr).not.toMatch(RAW)
  }
})
