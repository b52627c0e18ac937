import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFiles } from '../../../../src/workbench/project/walk/create-files.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const FILES = new Map<string, string | Uint8Array>([
  ['b/two.txt', 'two'],
  ['a.bin', Uint8Array.from([0, 255])],
])

test('files are created with their folders, bytes unchanged', async () => {
  const root = join(await temporaryFolder(), 'new/place')
  expect(await createFiles(root, FILES)).toEqual([join(root, 'a.bin'), join(root, 'b/two.txt')])
  expect([...(await readFile(join(root, 'a.bin')))]).toEqual([0, 255])
})

test('nothing is written when one of them is there, a dangling link included', async () => {
  const root = await temporaryFolder({ 'a.bin': 'mine' })
  await expect(createFiles(root, FILES)).rejects.toMatchObject({
    code: 'FILES_EXIST',
    facts: { paths: ['a.bin'] },
  })
  expect(await readdir(root)).toEqual(['a.bin'])
  expect(await readFile(join(root, 'a.bin'), 'utf8')).toBe('mine')
  const linked = await temporaryFolder()
  await symlink('nowhere', join(linked, 'a.bin'))
  await expect(createFiles(linked, FILES)).rejects.toMatchObject({ code: 'FILES_EXIST' })
})

test('a link that leads out is not followed, and what was written is taken back', async () => {
  const outside = await temporaryFolder()
  const root = await temporaryFolder()
  await symlink(outside, join(root, 'b'))
  const deep = new Map([...FILES, ['b/deep/er.txt', 'x']] as const)
  await expect(createFiles(root, deep)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' })
  expect([await readdir(outside), await readdir(root)]).toEqual([[], ['b']])
})

test('a file is no folder to write into', async () => {
  const root = await temporaryFolder({ file: 'mine' })
  await expect(createFiles(join(root, 'file'), FILES)).rejects.toMatchObject({
    code: 'PATH_NOT_A_FOLDER',
  })
})
