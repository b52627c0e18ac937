import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../project/manifest/a-project.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

test('the lock matches until a file changes', async () => {
  const cwd = await temporaryFolder(PROJECT)
  expect(await runCommand(['lock'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'Locked: 3 skills, 14 files.\n',
  })
  expect(await runCommand(['lock'], { cwd })).toMatchObject({
    stdout: 'Already locked: 3 skills, 14 files.\n',
  })
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'All files match the lock.\n',
  })
  await appendFile(join(cwd, 'skills/alpha/tools/echo/handler.js'), '// changed\n')
  expect((await runCommand(['lock', '--check'], { cwd })).code).toBe(1)
})

test('changed files are printed as readable differences', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['build'], { cwd })
  await runCommand(['lock'], { cwd })
  await writeFile(join(cwd, 'skills/alpha/tools/echo/doc.md'), '# echo\n\nEchoes loudly.\n')
  await writeFile(join(cwd, 'skills/alpha/new.md'), 'New.')
  await rm(join(cwd, 'skills/alpha/references/guide.md'))
  const { code, stdout, stderr } = await runCommand(['lock', '--check'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatchInlineSnapshot(`
    "+ skill://skills/alpha/new.md (4 bytes)
    - skill://skills/alpha/references/guide.md (11 bytes)
    ~ skill://skills/alpha/tools/echo/doc.md (16 -> 23 bytes, d670f5ec6191 -> 0adb87af9ead)
    ~ skill alpha
        files: +new.md -references/guide.md
        tools: ~echo
    ~ tool alpha/echo
        documentation:
          @@ -1,3 +1,3 @@
           # echo

          -Echoes.
          +Echoes loudly.
    "
  `)
  expect(stderr.replaceAll(cwd, '.')).toMatchInlineSnapshot(`
    "loadout: 3 files differ from ./loadout.lock.
    Review the changes. To accept them, lock again: loadout lock.
    "
  `)
})

test('--json prints the same, file by file', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['lock'], { cwd })
  await rm(join(cwd, 'skills/zeta'), { recursive: true })
  const { code, stdout } = await runCommand(['lock', '--check', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    files: [{ file: 'skill://skills/zeta/SKILL.md', what: 'removed', after: null }],
    definitions: null,
    missing: [],
  })
})

test('--check writes nothing', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['lock'], { cwd })
  const before = await readFile(join(cwd, 'loadout.lock'), 'utf8')
  await rm(join(cwd, 'skills/zeta'), { recursive: true })
  await runCommand(['lock', '--check'], { cwd })
  expect(await readFile(join(cwd, 'loadout.lock'), 'utf8')).toBe(before)
})

test('nothing is locked while a definition cannot be read', async () => {
  const cwd = await temporaryFolder({ ...PROJECT, 'skills/bad/SKILL.md': '---\nname: [\n---\n' })
  const { code, stderr } = await runCommand(['lock', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'LOCK_INCOMPLETE' } })
})

test.each([
  [{}, 'PATH_NOT_FOUND', 2],
  [{ 'loadout.lock': '{' }, 'LOCK_INVALID', 1],
  [{ 'loadout.lock': '{"format": 9}' }, 'LOCK_INVALID', 1],
])('a check against %j says what is wrong', async (tree, code, exit) => {
  const cwd = await temporaryFolder({ ...PROJECT, ...tree })
  const result = await runCommand(['lock', '--check', '--json'], { cwd })
  expect([result.code, JSON.parse(result.stderr)]).toMatchObject([exit, { error: { code } }])
})

test('counts of one are singular', async () => {
  const cwd = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  expect((await runCommand(['lock'], { cwd })).stdout).toBe('Locked: 1 skill, 1 file.\n')
})
