import { expect, test } from 'vitest'
import { SkillManager } from '../../src/skills/skill-manager.ts'
import { skillsOf } from './skills-of.ts'
import { toolNamed } from './tool-named.ts'

const search = toolNamed('search')
const otherSearch = toolNamed('search', { version: '2.0.0' })
const plot = toolNamed('plot')
const tools = new Map([
  ['web', [search]],
  ['archive', [otherSearch, plot]],
  ['empty', []],
])
const skills = skillsOf({ web: {}, archive: {}, empty: {} })

function managerOf(...active: string[]): SkillManager {
  return new SkillManager({
    skills,
    toolsOf: (name) => tools.get(name) ?? [],
    active: () => active,
  })
}

test('without an active skill there is no tool', () => {
  const manager = managerOf()
  expect(manager.getActiveSkill()).toBeNull()
  expect(manager.getActiveSkills()).toEqual([])
  expect(manager.getActiveSkillTools()).toEqual([])
  expect(manager.isToolFromActiveSkill('search')).toBe(false)
})

test('the active skill is the last activated; the tools are those of all active skills, one per name', () => {
  const manager = managerOf('web', 'archive')
  expect(manager.getActiveSkill()?.name).toBe('archive')
  expect(manager.getActiveSkills().map(({ name }) => name)).toEqual(['web', 'archive'])
  expect(manager.getActiveSkillTools()).toEqual([search, plot])
  expect(manager.getActiveSkillToolNames()).toEqual(['search', 'plot'])
  expect(manager.isToolFromActiveSkill('plot')).toBe(true)
  expect(manager.isToolFromActiveSkill('constructor')).toBe(false)
})

test('every skill is listed with its tools; only active ones have added theirs', () => {
  expect(managerOf('archive').getAllSkillToolStates()).toEqual([
    { skillName: 'web', tools: [search], active: false, addedToolNames: [] },
    {
      skillName: 'archive',
      tools: [otherSearch, plot],
      active: true,
      addedToolNames: ['search', 'plot'],
    },
    { skillName: 'empty', tools: [], active: false, addedToolNames: [] },
  ])
})

test('answers are read on every call, and a removed skill is left out', () => {
  const active = ['web']
  const manager = managerOf()
  const live = new SkillManager({
    skills,
    toolsOf: (name) => tools.get(name) ?? [],
    active: () => active,
  })
  active.push('gone')
  expect(live.getActiveSkills().map(({ name }) => name)).toEqual(['web'])
  active.push('empty')
  expect(live.getActiveSkill()?.name).toBe('empty')
  live.getActiveSkillTools().push(plot)
  expect(live.getActiveSkillToolNames()).toEqual(['search'])
  expect(manager.getActiveSkills()).toEqual([])
})
