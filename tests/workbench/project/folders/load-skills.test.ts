import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import { skillText, temporaryFolder, toolTree, writeTree } from '../temporary-folder.ts'

test('a project gives its skills by path, its toolsets, and its shared tools', async () => {
  const root = await temporaryFolder({
    'skills/beta/SKILL.md': skillText('beta', 'allowed-tools: Read\n'),
    'skills/beta/references/guide.md': 'Guide',
    '.claude/skills/gamma/SKILL.md': skillText('gamma'),
    '.agents/skills/alpha/SKILL.md': skillText('alpha'),
    'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: W.\ntools: fetch\n---\nUse it.',
    ...toolTree('tools/fetch'),
    'node_modules/pkg/SKILL.md': skillText('pkg'),
    '.git/hooks/SKILL.md': skillText('hooks'),
  })
  const loaded = await loadSkills(root)
  expect(loaded.diagnostics).toEqual([])
  expect(loaded.skills.map(({ name }) => name)).toEqual(['alpha', 'gamma', 'beta'])
  expect(loaded.toolsets).toMatchObject([
    { name: 'web', path: join(root, 'toolsets/web/TOOLSET.md') },
  ])
  expect(loaded.tools).toMatchObject([{ name: 'fetch', summary: 'Runs fetch.\nSafe.' }])
  expect(loaded.tools[0]?.execute).toBeUndefined()
  expect(loaded.skills[2]).toMatchObject({
    permissions: ['Read'],
    baseDirectory: join(root, 'skills/beta'),
    path: join(root, 'skills/beta/SKILL.md'),
    files: [{ path: 'references/guide.md', size: 5 }],
  })
})

test.each([
  { given: 'skills/alpha' },
  { given: 'skills/alpha/SKILL.md' },
  { given: 'skills' },
  { given: '.' },
])('a skill is found from $given', async ({ given }) => {
  const root = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  const { skills } = await loadSkills(join(root, given))
  expect(skills.map(({ name }) => name)).toEqual(['alpha'])
})

test('the tools of a skill come with it, are no files of it, and are unbound', async () => {
  const root = await temporaryFolder({
    'alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.tools: shared@^1\n'),
    'alpha/tools/notes.md': 'Notes',
    ...toolTree('alpha/tools/search'),
    ...toolTree('alpha/tools/fetch', null),
  })
  const { skills, handlers, tools } = await loadSkills(root)
  const [alpha] = skills
  expect(alpha?.tools.map((tool) => (typeof tool === 'string' ? tool : tool.name))).toEqual([
    'fetch',
    'search',
    'shared@^1',
  ])
  expect(alpha?.files.map(({ path }) => path)).toEqual(['tools/notes.md'])
  expect(tools).toEqual([])
  expect(
    handlers.map(({ tool, path }) => [tool.name, path && relative(root, path), tool.execute]),
  ).toEqual([
    ['fetch', null, undefined],
    ['search', 'alpha/tools/search/handler.js', undefined],
  ])
})

test('a bad file is one precise error and the good ones load', async () => {
  const root = await temporaryFolder({
    'good/SKILL.md': skillText('good'),
    'bad/SKILL.md': '---\nname: bad\ndescription: x\nname: again\n---\n',
    'half/SKILL.md': skillText('half'),
    'half/tools/broken/schema.json': '{',
    ...toolTree('half/tools/works'),
    'set/TOOLSET.md': 'no front matter',
  })
  const { skills, diagnostics } = await loadSkills(root)
  expect(skills.map(({ name, tools }) => [name, tools.length])).toEqual([
    ['good', 0],
    ['half', 1],
  ])
  expect(
    diagnostics.map(({ severity, code, file = '', line }) =>
      [severity, code, relative(root, file), line].join(' '),
    ),
  ).toEqual([
    'error duplicate-key bad/SKILL.md 4',
    'error json-invalid half/tools/broken/schema.json 1',
    'error front-matter-missing set/TOOLSET.md 1',
  ])
})

test('a skill inside a skill is a file of it, and reported', async () => {
  const root = await temporaryFolder({
    'outer/SKILL.md': skillText('outer'),
    'outer/inner/SKILL.md': skillText('inner'),
  })
  const { skills, diagnostics } = await loadSkills(root)
  expect(skills.map(({ name }) => name)).toEqual(['outer'])
  expect(skills[0]?.files.map(({ path }) => path)).toEqual(['inner/SKILL.md'])
  expect(diagnostics).toMatchObject([{ code: 'skill-nested', severity: 'info' }])
})

test('files that the front matter describes keep the description, missing ones are reported', async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText(
      'a',
      'files:\n  - path: x.md\n    description: An X\n  - path: ../y.md\n',
    ),
    'a/x.md': 'x',
    'y.md': 'y',
  })
  const { skills, diagnostics } = await loadSkills(root)
  expect(skills[0]?.files).toMatchObject([{ path: 'x.md', description: 'An X' }])
  expect(diagnostics).toMatchObject([
    { code: 'field-not-portable' },
    { code: 'file-missing', line: 7 },
  ])
})

test('names that JavaScript knows are skills, tools and files like any other', async () => {
  const root = await temporaryFolder({
    '__proto__/SKILL.md': skillText('__proto__'),
    'constructor/SKILL.md': skillText('constructor'),
    'constructor/__proto__': 'text',
    ...toolTree('constructor/tools/toString'),
  })
  const { skills, diagnostics } = await loadSkills(root)
  expect(skills.map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
  expect(await skills[1]?.readFile?.('__proto__')).toBe('text')
  expect(skills[1]?.tools).toMatchObject([{ name: 'toString' }])
  expect(diagnostics.map(({ code }) => code)).toEqual(['name-invalid'])
})

test('a skill below two given paths is read once, for the first', async () => {
  const root = await temporaryFolder({
    'x/a/SKILL.md': skillText('a'),
    'x/b/SKILL.md': skillText('b'),
  })
  const { skills } = await loadSkills([join(root, 'x/b'), root, join(root, 'x')])
  expect(skills.map(({ name }) => name)).toEqual(['b', 'a'])
})

test('a lower-case skill.md is read', async () => {
  const root = await temporaryFolder({ 'a/skill.md': skillText('a') })
  expect((await loadSkills(root)).skills.map(({ name }) => name)).toEqual(['a'])
})

test.each([
  { given: 'nowhere', code: 'PATH_NOT_FOUND' },
  { given: 'notes.txt', code: 'PATH_NOT_A_FOLDER' },
])('the given path $given is $code', async ({ given, code }) => {
  const root = await temporaryFolder({ 'notes.txt': 'x' })
  await expect(loadSkills(join(root, given))).rejects.toMatchObject({
    code,
    facts: { path: join(root, given) },
  })
})

test('reading runs nothing', async () => {
  const marker =
    "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('ran', import.meta.url), '')\n"
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a', 'hooks: ./run.js\n'),
    'a/scripts/setup.js': marker,
    ...toolTree('a/tools/t', marker),
    'loadout.config.js': marker,
  })
  await loadSkills(root)
  const again = await loadSkills(root)
  expect(again.skills[0]?.files.map(({ path }) => path)).toEqual(['scripts/setup.js'])
})

test('the order of the disk makes no difference', async () => {
  const names = ['m', 'b', 'z', 'a', 'k']
  const forwards = await temporaryFolder()
  const backwards = await temporaryFolder()
  for (const name of names) await writeTree(forwards, { [`${name}/SKILL.md`]: skillText(name) })
  for (const name of [...names].reverse()) {
    await writeTree(backwards, { [`${name}/SKILL.md`]: skillText(name) })
  }
  const hashes = async (root: string) =>
    (await loadSkills(root)).skills.map(({ name, hash }) => [name, hash])
  expect(await hashes(backwards)).toEqual(await hashes(forwards))
})

test('a link in a project to its other folder of skills adds nothing', async () => {
  const root = await temporaryFolder({ '.agents/skills/a/SKILL.md': skillText('a') })
  await mkdir(join(root, '.claude'))
  await symlink('../.agents/skills', join(root, '.claude/skills'))
  const { skills, diagnostics } = await loadSkills(root)
  expect(skills.map(({ path }) => relative(root, path ?? ''))).toEqual([
    '.agents/skills/a/SKILL.md',
  ])
  expect(diagnostics).toEqual([])
})

test('a changed file of a skill changes its hash, its place does not', async () => {
  const tree = { 'a/SKILL.md': skillText('a'), 'a/x.md': 'one' }
  const here = await temporaryFolder(tree)
  const there = await temporaryFolder(tree)
  const hashOf = async (root: string) => (await loadSkills(root)).skills[0]?.hash
  expect(await hashOf(there)).toBe(await hashOf(here))
  await writeFile(join(there, 'a/x.md'), 'two')
  expect(await hashOf(there)).not.toBe(await hashOf(here))
})

test("what a skill's handlers share in lib is not listed for the model; without tools it is", async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'a/lib/shared.ts': 'export const one = 1',
    'a/references/guide.md': 'Guide.',
    ...toolTree('a/tools/echo'),
    'b/SKILL.md': skillText('b'),
    'b/lib/shared.ts': 'export const one = 1',
  })
  const { skills } = await loadSkills(root)
  expect(skills.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ['references/guide.md'],
    ['lib/shared.ts'],
  ])
})

test("files that an editor or a desktop leaves next to a skill's files are not listed", async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'a/.SKILL.md.swp': 'b0VIM',
    'a/guide.md~': 'old',
    'a/.DS_Store': 'x',
    'a/.env.example': 'KEY=',
  })
  const { skills } = await loadSkills(root)
  expect(skills[0]?.files.map(({ path }) => path)).toEqual(['.env.example'])
})
