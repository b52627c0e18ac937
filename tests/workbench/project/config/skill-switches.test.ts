import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  openSkillSwitches,
  switchRule,
} from '../../../../src/workbench/project/config/skill-switches.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('skills that are turned off and on at the same time do not undo each other', async () => {
  const file = join(await temporaryFolder(), 'loadout', 'skills-off.json')
  const names = Array.from({ length: 8 }, (_, at) => `skill-${at}`)
  const turn = (name: string, off: boolean) => openSkillSwitches({ file }).turn('/', [name], off)
  await Promise.all(names.map((name) => turn(name, true)))
  const { deny } = await openSkillSwitches({ file }).read('/')
  expect(new Set(deny)).toEqual(new Set(names.map(switchRule)))
  await Promise.all(names.map((name) => turn(name, false)))
  expect((await openSkillSwitches({ file }).read('/')).deny).toEqual([])
})

test('a pipe in place of the file is an error at once', async () => {
  const file = join(await temporaryFolder(), 'skills-off.json')
  execFileSync('mkfifo', [file])
  const switches = openSkillSwitches({ file })
  await expect(switches.read('/')).rejects.toMatchObject({ code: 'SKILLS_OFF_DAMAGED' })
  await expect(switches.turn('/', ['mail'], true)).rejects.toMatchObject({
    code: 'SKILLS_OFF_DAMAGED',
  })
})
