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

/** Of the active skills, the first one that has a tool's name has it. */
function managerOf(active: readonly string[]): SkillManager {
  const available = () => {
    const taken = new Set<string>()
    return new Map(
      active.map((name) => [
        name,
        (tools.get(name) ?? []).filter((tool) => !taken.has(tool.name) && taken.add(tool.name)),
      ]),
    )
  }
  const toolsOf = (name: string) => tools.get(name) ?? []
  const commands = {
    registerSkill: () => undefined,
    activateSkill: () => undefined,
    deactivateSkill: () => undefined,
  }
  const sources = { toolsOf, active: () => active, available }
  return new SkillManager({ commands, skills: () => skills, ...sources })
}

test('without an active skill there is no tool', () => {
  const manager = managerOf([])
  expect(manager.getActiveSkill()).toBeNull()
  expect(manager.getActiveSkills()).toEqual([])
  expect(manager.getActiveSkillTools()).toEqual([])
  expect(manager.isToolFromActiveSkill('search')).toBe(false)
})

test('the active skill is the last activated; the tools are the available ones of all active skills', () => {
  const manager = managerOf(['web', 'archive'])
  expect(manager.getActiveSkill()?.name).toBe('archive')
  expect(manager.getActiveSkills().map(({ name }) => name)).toEqual(['web', 'archive'])
  expect(manager.getActiveSkillTools()).toEqual([search, plot])
  expect(manager.getActiveSkillToolNames()).toEqual(['search', 'plot'])
  expect(manager.isToolFromActiveSkill('plot')).toBe(true)
  expect(manager.isToolFromActiveSkill('constructor')).toBe(false)
})

test('every skill is listed with its tools; only active ones have added theirs', () => {
  expect(managerOf(['archive']).getAllSkillToolStates()).toEqual([
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
  const live = managerOf(active)
  active.push('gone')
  expect(live.getActiveSkills().map(({ name }) => name)).toEqual(['web'])
  active.push('empty')
  expect(live.getActiveSkill()?.name).toBe('empty')
  live.getActiveSkillTools().push(plot)
  expect(live.getActiveSkillToolNames()).toEqual(['search'])
})
