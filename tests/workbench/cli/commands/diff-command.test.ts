import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../project/manifest/a-project.ts'
import { skillText, temporaryFolder, writeTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

/** A folder with two projects, of which the second was changed. */
async function twoProjects(): Promise<string> {
  const cwd = await temporaryFolder()
  await writeTree(join(cwd, 'old'), PROJECT)
  await cp(join(cwd, 'old'), join(cwd, 'new'), { recursive: true })
  await writeTree(join(cwd, 'new'), {
    'skills/alpha/SKILL.md': skillText('alpha', 'license: MIT\n') + 'More.\n',
    'skills/beta/SKILL.md': skillText('beta'),
    'skills/alpha/tools/echo/schema.json': JSON.stringify({
      toolId: 'echo',
      description: 'Runs echo.',
      parameters: { type: 'object', properties: { text: { type: 'string', minLength: 1 } } },
    }),
  })
  return cwd
}

test('two folders are compared by definitions, tools, prompt and tokens', async () => {
  const cwd = await twoProjects()
  const { code, stdout } = await runCommand(['diff', 'old', 'new'], { cwd })
  expect(code).toBe(1)
  expect(stdout.replaceAll(/\d+ -> \d+ tokens/g, 'N -> N tokens')).toMatchInlineSnapshot(`
    "~ skill alpha
        instructions:
          @@ -1,1 +1,2 @@
           # alpha
          +More.
        license: (none) -> "MIT"
        tags: ["one","two"] -> []
        tools: ~echo
    + skill beta
    ~ tool alpha/echo
        inputSchema:
          /properties/text/minLength: (none) -> 1
    Available tools:
    ~ loadSkill (N -> N tokens)
    ~ loadSkillFile (N -> N tokens)
    ~ unloadSkill (N -> N tokens)
    Next request N -> N tokens (+13), kept 0 of 364 (o200k_base)
    ~ Skill catalog (N -> N tokens)
          +- \`beta\`: Does beta.
    "
  `)
})

test('folders, manifests and locks are recognised by their content and can be compared', async () => {
  const cwd = await twoProjects()
  for (const one of ['old', 'new']) {
    await runCommand(['build', one, '--out', `${one}.m`], { cwd })
    await runCommand(['lock', one, '--out', `${one}.l`], { cwd })
  }
  const diff = async (a: string, b: string) => {
    const { code, stdout } = await runCommand(['diff', a, b, '--json'], { cwd })
    const {
      same,
      a: first,
      b: second,
    } = JSON.parse(stdout) as {
      same: boolean
      a: { kind: string }
      b: { kind: string }
    }
    return `${code} ${first.kind} ${second.kind} ${same ? 'same' : 'differ'}`
  }
  expect(await diff('old', 'old')).toBe('0 folder folder same')
  expect(await diff('old', 'old.m')).toBe('0 folder manifest same')
  expect(await diff('new.m', 'new')).toBe('0 manifest folder same')
  expect(await diff('old.m', 'new.m')).toBe('1 manifest manifest differ')
  expect(await diff('old.l', 'new.l')).toBe('1 lock lock differ')
  expect(await diff('old.l', 'old')).toBe('0 lock folder same')
  expect(await diff('new', 'old.l')).toBe('1 folder lock differ')
})

test('two entries of a session are compared by available tools and prompt', async () => {
  const cwd = await temporaryFolder(PROJECT)
  // A log inside of the trusted folder would end the trust in it.
  const run = join(await temporaryFolder(), 'run.sqlite')
  const log = ['--log', run]
  await runCommand(['trust', '.', '--all'], { cwd })
  await runCommand(['activate', 'zeta', '.', ...log], { cwd })
  await runCommand(['activate', 'alpha', '.', ...log], { cwd })
  const { code, stdout } = await runCommand(['diff', `${run}@1`, run, '--path', '.', '--json'], {
    cwd,
  })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    a: { kind: 'log', label: `${run}@1` },
    definitions: null,
    tools: [{ name: 'echo', what: 'added' }],
    prompt: { changes: expect.arrayContaining([expect.objectContaining({ kind: 'added' })]) },
    tokenizer: 'o200k_base',
  })
})

test.each([
  [['old'], 'Missing required argument'],
  [['old', 'nowhere'], '"nowhere" is neither a path nor a session'],
  [['old', 'run.sqlite@99'], 'no entry 99'],
  [['old.m', 'old.l'], 'cannot be compared with'],
  [['old', 'note.txt'], 'is not a manifest or a lock'],
])('%j is wrong usage', async (words, message) => {
  const cwd = await twoProjects()
  await writeFile(join(cwd, 'note.txt'), '')
  await runCommand(['build', 'old', '--out', 'old.m'], { cwd })
  await runCommand(['lock', 'old', '--out', 'old.l'], { cwd })
  await runCommand(['activate', 'alpha', 'old/skills', '--log', 'run.sqlite'], { cwd })
  const { code, stderr } = await runCommand(['diff', ...words], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('escape sequences of a skill never reach the terminal', async () => {
  const cwd = await twoProjects()
  await writeFile(
    join(cwd, 'new/skills/alpha/SKILL.md'),
    skillText('alpha') + '\u001b]52;c;AA==\u0007\n',
  )
  const { stdout } = await runCommand(['diff', 'old', 'new'], { cwd })
  expect(stdout).not.toContain('\u001b')
})

test.each([
  { word: 'broken.json', says: 'is not a manifest, a lock or a log' },
  { word: 'notes.txt', says: 'is not a manifest, a lock or a log' },
  { word: 'edited.json', says: 'The manifest was changed' },
  { word: 'none.lock', says: 'This is not a lock' },
  { word: 'old@1', says: 'is neither a path nor a session' },
  { word: 'nothing', says: 'is neither a path nor a session' },
  { word: '', says: 'is neither a path nor a session' },
])('"$word" ends with 2, since 1 would say that they differ', async ({ word, says }) => {
  const cwd = await twoProjects()
  await runCommand(['build', 'old', '--out', 'built.json'], { cwd })
  const built = await readFile(join(cwd, 'built.json'), 'utf8')
  await writeTree(cwd, {
    'broken.json': built.slice(0, 100),
    'edited.json': built.replace('Does alpha.', 'Does more.'),
    'none.lock': '{"format":1,"version":"1"}',
    'notes.txt': 'Notes.',
  })
  const { code, stdout, stderr } = await runCommand(['diff', word, 'old'], { cwd })
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)])
})
