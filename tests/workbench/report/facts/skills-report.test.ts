import { expect, test } from 'vitest'
import {
  skillsReport,
  type SkillFacts,
} from '../../../../src/workbench/report/facts/skills-report.ts'
import { cellText } from '../../../../src/workbench/report/report.ts'
import { aPlayground, WORDS } from '../../playground/a-playground.ts'

type Reader = Parameters<typeof skillsReport>[0]

/** Returns the cells of a skill, by the titles of their columns. */
function cells(reader: Reader, name: string, facts: SkillFacts = {}) {
  const report = skillsReport(reader, WORDS, facts)
  const row = reader.skills().find((one) => one.name === name)
  if (row === undefined) throw new Error('not listed')
  const read = report.read(row)
  return Object.fromEntries(
    report.columns.map(({ title, cell }) => [title, cellText(cell(read), String)]),
  )
}

test('an active skill has its lifetime, and is counted', async () => {
  const { workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis')
  expect(cells(workspace, 'data-analysis')).toMatchObject({
    STATUS: 'active',
    LIFETIME: 'session',
    TOOLS: '2',
  })
  expect(skillsReport(workspace, WORDS).summary()).toBe('1 of 3 active')
})

test('a change on disk is in the row of its skill', async () => {
  const { workspace } = await aPlayground()
  const change = (name: string) => (name === 'music' ? 'changed' : '')
  expect(cells(workspace, 'music', { change })).toMatchObject({ 'ON DISK': 'changed' })
  expect(cells(workspace, 'music')).toMatchObject({ 'ON DISK': '' })
})

test('the remaining turns are counted down while the skill stays unchanged', async () => {
  const { workspace } = await aPlayground([{ name: 'music', description: 'Play songs.' }])
  await workspace.beginTurn()
  await workspace.activateSkill('music', { lifetime: { turns: 3 } })
  expect(cells(workspace, 'music')).toMatchObject({ LIFETIME: '3 turns left' })
  await workspace.beginTurn()
  expect(cells(workspace, 'music')).toMatchObject({ LIFETIME: '2 turns left' })
})
