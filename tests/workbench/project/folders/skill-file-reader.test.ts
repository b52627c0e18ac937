import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import { skillText, temporaryFolder } from '../temporary-folder.ts'

async function skillWithFiles() {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'a/docs/guide.md': '\uFEFFone\r\ntwo',
    'a/picture.png': Uint8Array.from([0x89, 0x50, 0, 0]),
    'a-evil/secret.md': 'secret',
    'secret.md': 'secret',
  })
  const { skills } = await loadSkills(join(root, 'a'))
  const [skill] = skills
  if (skill?.readFile === undefined) throw new Error('the skill has no files')
  return { root, folder: join(root, 'a'), skill, readFile: skill.readFile }
}

test('a listed file is read unchanged', async () => {
  const { readFile } = await skillWithFiles()
  expect(await readFile('docs/guide.md')).toBe('\uFEFFone\r\ntwo')
})

test.each([
  '',
  '.',
  '..',
  '/',
  '../secret.md',
  '../a-evil/secret.md',
  'docs/../../secret.md',
  'docs/../docs/guide.md',
  './docs/guide.md',
  'docs//guide.md',
  'docs',
  'docs/',
  '..%2fsecret.md',
  '%2e%2e/secret.md',
  '..%252fsecret.md',
  '..\\secret.md',
  'docs\\guide.md',
  'C:\\secret.md',
  'C:secret.md',
  '\\\\server\\share\\secret.md',
  '//server/share/secret.md',
  '/etc/passwd',
  'file:///etc/passwd',
  'docs/guide.md\0.png',
  '\0',
  'DOCS/GUIDE.MD',
  'docs/guide.md ',
  'SKILL.md',
  '~/.ssh/id_rsa',
  '__proto__',
  'constructor',
])('%j is not listed, whatever it might mean', async (path) => {
  const { readFile } = await skillWithFiles()
  await expect(readFile(path)).rejects.toMatchObject({ code: 'FILE_NOT_LISTED', facts: { path } })
})

test('a file that is no text is refused by name', async () => {
  const { readFile } = await skillWithFiles()
  await expect(readFile('picture.png')).rejects.toMatchObject({ code: 'FILE_NOT_TEXT' })
})

test.each([
  {
    name: 'a changed file',
    change: (folder: string) => writeFile(join(folder, 'docs/guide.md'), 'other'),
  },
  { name: 'a file that is gone', change: (folder: string) => rm(join(folder, 'docs/guide.md')) },
  {
    name: 'a link out in its place',
    change: async (folder: string) => {
      await rm(join(folder, 'docs/guide.md'))
      await symlink('../../secret.md', join(folder, 'docs/guide.md'))
    },
  },
  {
    name: 'a linked folder in its place',
    change: async (folder: string) => {
      await rename(join(folder, 'docs'), join(folder, '../moved'))
      await symlink('../moved', join(folder, 'docs'))
    },
  },
])('$name is refused: a session reads what was loaded', async ({ change }) => {
  const { folder, readFile } = await skillWithFiles()
  await change(folder)
  await expect(readFile('docs/guide.md')).rejects.toMatchObject({ code: 'FILE_CHANGED' })
})

test('an abort is heard', async () => {
  const { readFile } = await skillWithFiles()
  await expect(readFile('docs/guide.md', AbortSignal.abort())).rejects.toThrow('aborted')
})
