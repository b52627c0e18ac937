import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockProject } from '../../../../src/workbench/project/lock/lock-project.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { PROJECT } from '../manifest/a-project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const lock = async (folder: string) =>
  lockProject(await openProject([folder], { home: null, trusted: false, project: folder }), folder)

test('every file of a skill is locked, each once, and files of no skill are locked, too', async () => {
  const folder = await temporaryFolder({ ...PROJECT, 'README.md': 'Not read.', 'src/x.js': '' })
  const { skills, files } = await lock(folder)
  const alpha = skills.find(({ uri }) => uri === 'skill://skills/alpha/SKILL.md')
  expect(alpha?.resources.map(({ uri }) => uri.replace('skill://skills/alpha/', ''))).toEqual([
    'SKILL.md',
    'references/guide.md',
    'tools/echo/doc.md',
    'tools/echo/doc_summary.md',
    'tools/echo/handler.js',
    'tools/echo/schema.json',
  ])
  expect(alpha?.resources[1]).toMatchObject({
    digest: textHash('The guide.\n'),
    size: 'The guide.\n'.length,
  })
  expect(files.map(({ path }) => path)).toEqual([
    'agents/support/AGENT.md',
    'rules/orders.md',
    'tools/shared/doc_summary.md',
    'tools/shared/handler.js',
    'tools/shared/schema.json',
    'toolsets/pages/TOOLSET.md',
  ])
})

test('the same files elsewhere have the same lock', async () => {
  const [here, there] = [await temporaryFolder(PROJECT), await temporaryFolder(PROJECT)]
  expect(await lock(here)).toEqual(await lock(there))
})

test('one byte of a handler makes another lock, although the catalog is the same', async () => {
  const folder = await temporaryFolder(PROJECT)
  const before = await lock(folder)
  await writeFile(join(folder, 'skills/alpha/tools/echo/handler.js'), 'export const execute = 1\n')
  const after = await lock(folder)
  expect(after.version).toBe(before.version)
  expect(after).not.toEqual(before)
})

test('a file that cannot be read is an error: nothing is left out of a lock', async () => {
  const outside = await temporaryFolder({ 'secret.md': 'Secret.' })
  for (const spoil of [
    (file: string) => symlink(join(outside, 'secret.md'), file),
    async (file: string) => void execFileSync('mkfifo', [file]),
  ]) {
    const folder = await temporaryFolder(PROJECT)
    await spoil(join(folder, 'skills/alpha/odd.md'))
    await expect(lock(folder)).rejects.toMatchObject({ code: 'LOCK_UNREADABLE' })
  }
})

test('a file is locked however deep it lies in its skill', async () => {
  const deep = 'skills/alpha/a/b/c/d/e/f/g/h/i/deep.md'
  const folder = await temporaryFolder({ ...PROJECT, [deep]: 'Deep.' })
  const { skills } = await lock(folder)
  const uris = skills.flatMap(({ resources }) => resources.map(({ uri }) => uri))
  expect(uris).toContain(`skill://${deep}`)
})

test.skipIf(process.platform === 'win32')(
  'what a listing of files would leave out with a warning is an error of a lock',
  async () => {
    const outside = await temporaryFolder({ 'inner/secret.md': 'Secret.' })
    for (const spoil of [
      (skill: string) => symlink(join(outside, 'inner'), join(skill, 'linked')),
      (skill: string) => writeFile(join(skill, 'C:odd.md'), 'Odd.'),
    ]) {
      const folder = await temporaryFolder(PROJECT)
      await spoil(join(folder, 'skills/alpha'))
      await expect(lock(folder)).rejects.toMatchObject({ code: 'LOCK_UNREADABLE' })
    }
  },
)
