import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  isAsSurveyed,
  surveyFolder,
} from '../../../../src/workbench/project/trust/survey-folder.ts'
import { temporaryFolder } from '../temporary-folder.ts'

async function surveyed() {
  const elsewhere = await temporaryFolder({ 'x.js': '1' })
  const folder = await temporaryFolder({
    'handler.js': '1',
    'lib/late.js': '1',
    'v1/x': '',
    'v2/x': '',
  })
  await mkdir(join(folder, 'empty/inner'), { recursive: true })
  await symlink(elsewhere, join(folder, 'linked'))
  await symlink('v1', join(folder, 'version'))
  const trustFile = join(await temporaryFolder({ 'trust.json': '{}' }), 'trust.json')
  const survey = await surveyFolder(folder, trustFile)
  // A change at the same time as the creation could not be seen.
  const probe = join(await temporaryFolder({ probe: '' }), 'probe')
  const { ctimeMs } = await stat(probe)
  while ((await stat(probe)).ctimeMs === ctimeMs) await writeFile(probe, '')
  // As if nothing had changed for a while.
  return { folder, elsewhere, trustFile, survey: { ...survey, isSettled: true } }
}

type Places = Awaited<ReturnType<typeof surveyed>>

test.each<{ name: string; change: (places: Places) => Promise<unknown> }>([
  {
    name: 'a file with another text',
    change: ({ folder }) => writeFile(join(folder, 'handler.js'), '22'),
  },
  {
    name: 'a file with another text of the same length and time',
    async change({ folder }) {
      const path = join(folder, 'lib/late.js')
      const { atime, mtime } = await stat(path)
      await writeFile(path, '2')
      await utimes(path, atime, mtime)
    },
  },
  {
    name: 'a file that another one was moved over',
    async change({ folder }) {
      await writeFile(join(folder, 'handler.js.new'), '1')
      await rename(join(folder, 'handler.js.new'), join(folder, 'handler.js'))
    },
  },
  {
    name: 'a file in a new folder',
    change: async ({ folder }) => {
      await mkdir(join(folder, 'new'))
      await writeFile(join(folder, 'new/x'), '')
    },
  },
  {
    name: 'a file in an empty folder',
    change: ({ folder }) => writeFile(join(folder, 'empty/inner/x'), ''),
  },
  { name: 'a file that is gone', change: ({ folder }) => rm(join(folder, 'lib/late.js')) },
  { name: 'a folder that is gone', change: ({ folder }) => rm(folder, { recursive: true }) },
  {
    name: 'a file behind a link',
    change: ({ elsewhere }) => writeFile(join(elsewhere, 'x.js'), '2'),
  },
  {
    name: 'a new file behind a link',
    change: ({ elsewhere }) => writeFile(join(elsewhere, 'y.js'), '2'),
  },
  {
    name: 'a link that leads elsewhere',
    async change({ folder }) {
      await rm(join(folder, 'version'))
      await symlink('v2', join(folder, 'version'))
    },
  },
  { name: 'the trust file', change: ({ trustFile }) => writeFile(trustFile, '{ }') },
  { name: 'a trust file that is gone', change: ({ trustFile }) => rm(trustFile) },
])('$name is another description', async ({ change }) => {
  const places = await surveyed()
  expect(isAsSurveyed(places.survey)).toBe(true)
  await change(places)
  expect(isAsSurveyed(places.survey)).toBe(false)
})

test('files that changed a moment ago prove nothing, since they may change again at the same time', async () => {
  const folder = await temporaryFolder({ 'a.js': '' })
  const survey = await surveyFolder(folder, null)
  expect(survey.isSettled).toBe(false)
  expect(isAsSurveyed(survey)).toBe(false)
})
