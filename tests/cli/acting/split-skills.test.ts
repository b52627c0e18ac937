import { expect, test } from 'vitest'
import { splitSkills } from '../../../src/cli/commands/activate-command.ts'
import { temporaryFolder } from '../../adapters/disk/temporary-folder.ts'

const folder = () => temporaryFolder({ 'skills/a/SKILL.md': '', 'pdf/SKILL.md': '' })

test('what is there, begins with a dot or has a separator is a path; the rest are skills', async () => {
  const words = ['a', 'skills', '.', '.hidden', './x', 'x/y', 'x\\y', 'Display name']
  expect(await splitSkills(words, false, await folder())).toEqual({
    skills: ['a', 'Display name'],
    paths: ['skills', '.', '.hidden', './x', 'x/y', 'x\\y'],
  })
})

test('a skill named like a folder can be named when paths are given apart', async () => {
  await expect(splitSkills(['pdf'], false, await folder())).rejects.toMatchObject({
    code: 'WRONG_USAGE',
    message: 'No skill is named: "pdf" is a path.',
  })
  expect(await splitSkills(['pdf'], true, await folder())).toEqual({ skills: ['pdf'], paths: [] })
})
