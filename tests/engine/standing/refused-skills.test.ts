import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import type { Rule } from '../../../src/engine/model/policy.ts'
import { refusedSkills } from '../../../src/engine/standing/refused-skills.ts'

const SKILLS = [
  { name: 'vault', displayName: 'The Vault', aliases: ['safe'] },
  { name: 'bank', requires: ['vault'] },
  { name: 'town', requires: ['bank'] },
  { name: 'owls', displayName: 'Café owls' },
]

async function refusedBy(deny: readonly Rule[]) {
  const skills = SKILLS.map((one) => defineSkill({ description: 'About it.', ...one }))
  const catalog = await createCatalog({ skills })
  const workspace = await VirtualWorkspace.open({ catalog, policy: { permissions: { deny } } })
  return {
    refused: [...refusedSkills(workspace.state.policy, catalog).keys()].toSorted(),
    text: workspace.prompt().instructions,
  }
}

const EVERY = SKILLS.map(({ name }) => name).toSorted()

const loading = (more: object) => ({ tool: 'loadSkill', ...more })

test.each<readonly [string, Rule, readonly string[]]>([
  ['its id', loading({ where: { skillName: 'vault' } }), ['bank', 'town', 'vault']],
  ['its display name', loading({ where: { skillName: 'The *' } }), ['bank', 'town', 'vault']],
  [
    'an alias',
    loading({ where: { skillName: 'SAFE' }, ignoreCase: true }),
    ['bank', 'town', 'vault'],
  ],
  ['an accent in two letters', loading({ where: { skillName: 'Cafe\u0301 owls' } }), ['owls']],
  ['any tool', { where: { skillName: 'owls' } }, ['owls']],
  ['another case', loading({ where: { skillName: 'OWLS' } }), []],
  ['another tool', { tool: 'read', where: { skillName: 'owls' } }, []],
  ['another argument', loading({ where: { skillName: 'owls', arguments: 'x' } }), []],
  ['a function', loading({ where: { skillName: 'owls' }, when: () => true }), []],
  ['a risk', loading({ risk: 'safe', where: { skillName: 'owls' } }), ['owls']],
  ['no argument', 'loadSkill', EVERY],
  ['a pattern of names', 'load*', EVERY],
  ['every tool', '*', EVERY],
  ['no condition', loading({}), EVERY],
  ['every skill', loading({ where: { skillName: '*' } }), EVERY],
  ['a function alone', loading({ when: () => true }), []],
  ['another tool alone', 'loadSkillFile', []],
])('a rule with %s keeps skills from the list of a model', async (_, rule, names) => {
  const { refused, text } = await refusedBy([rule])
  expect(refused).toEqual(names)
  for (const { name } of SKILLS) {
    expect({ name, isListed: new RegExp(`^- .*\\b${name}\\b`, 'mv').test(text) }).toEqual({
      name,
      isListed: !names.includes(name),
    })
  }
  expect(/`loadSkill`|Skills that can be loaded/v.test(text)).toBe(names.length < SKILLS.length)
})

test('while loadSkill is switched off, no section of the prompt asks for it', async () => {
  const catalog = await createCatalog({
    skills: [defineSkill({ name: 'owls', description: 'About it.' })],
  })
  const workspace = await VirtualWorkspace.open({ catalog })
  const before = workspace.prompt().text
  expect(before).toContain('`loadSkill`')
  await workspace.setToolEnabled('loadSkill', false)
  expect(workspace.prompt().text).not.toMatch(/`loadSkill`|can be loaded/v)
  await workspace.setToolEnabled('loadSkill', true)
  expect(workspace.prompt().text).toBe(before)
})
