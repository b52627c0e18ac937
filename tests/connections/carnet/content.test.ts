import { Carnet, ValidationError } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'

const carnet = new Carnet(aManifest(), { variables: { COMPANY: 'Acme' } })

test('definitions are handed out as the manifest has them', () => {
  expect(carnet.getAgent('writer')).toEqual(aManifest().agents['writer'])
  expect(carnet.getSkill('webSearch')).toEqual(aManifest().skills['webSearch'])
  expect(carnet.getToolset('filter-tools')).toEqual(aManifest().toolsets['filter-tools'])
  expect(carnet.getTool('openSafe')).toEqual(aManifest().tools['openSafe'])
  expect(Object.keys(carnet.agents)).toEqual(['researcher', 'writer'])
})

test('a skill without files has an empty list of them', () => {
  expect(carnet.getSkill('documents')?.files).toEqual([])
})

test('what the manifest does not have is undefined, whatever it is called', () => {
  for (const name of ['nobody', 'constructor', '__proto__', 'toString']) {
    expect(carnet.getAgent(name)).toBeUndefined()
    expect(carnet.getSkill(name)).toBeUndefined()
    expect(carnet.getToolset(name)).toBeUndefined()
    expect(carnet.getTool(name)).toBeUndefined()
  }
})

test('texts come with variables of the instance, or of the call, or unchanged', () => {
  expect(carnet.getSkillContent('webSearch')).toContain('Ask Acme first.')
  expect(carnet.getToolContent('advancedSearch', { variables: { COMPANY: 'Other' } })).toBe(
    'Filters of Other.',
  )
  expect(carnet.getToolsetContent('search-tools')).toBe('Begin with basicSearch on {{ TOPIC }}.')
  expect(carnet.getSkillContent('webSearch', { raw: true })).toContain('{{ COMPANY }}')
})

test('metadata comes without the text', () => {
  expect(carnet.getSkillMetadata('dataAnalysis')).toEqual({
    name: 'dataAnalysis',
    description: 'Analyse data.',
    toolsets: ['statistical-analysis'],
    files: [],
  })
  expect(carnet.getToolsetMetadata('filter-tools')).toEqual({
    name: 'filter-tools',
    description: 'Filters.',
    tools: ['filterByDate'],
  })
  expect(carnet.getToolMetadata('filterByDate')).toEqual({
    name: 'filterByDate',
    description: 'Filter by date',
  })
})

test('lists show what belongs together', () => {
  const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)
  expect(names(carnet.listAvailableSkills('researcher'))).toEqual([
    'webSearch',
    'dataAnalysis',
    'documents',
  ])
  expect(names(carnet.listSkillToolsets('webSearch'))).toEqual(['search-tools', 'filter-tools'])
  expect(names(carnet.listToolsetTools('search-tools'))).toEqual(['basicSearch', 'advancedSearch'])
})

test('a file is read by its very path', () => {
  expect(carnet.loadSkillFile('webSearch', 'guides/queries.md')).toBe('# Queries\nBe brief.')
})

test.each([
  { call: () => carnet.getSystemPrompt('no'), type: 'agent', says: 'Agent not found' },
  { call: () => carnet.generateAgentPrompt('no'), type: 'agent', says: 'Agent not found' },
  { call: () => carnet.getTools('no'), type: 'agent', says: 'Agent not found' },
  { call: () => carnet.listAvailableSkills('no'), type: 'agent', says: 'Agent not found' },
  { call: () => carnet.getSkillContent('no'), type: 'skill', says: 'Skill not found' },
  { call: () => carnet.getSkillMetadata('no'), type: 'skill', says: 'Skill not found' },
  { call: () => carnet.listSkillToolsets('no'), type: 'skill', says: 'Skill not found' },
  { call: () => carnet.loadSkillFile('no', 'a.md'), type: 'skill', says: 'Skill not found' },
  { call: () => carnet.getToolsetContent('no'), type: 'toolset', says: 'Toolset not found' },
  { call: () => carnet.getToolsetMetadata('no'), type: 'toolset', says: 'Toolset not found' },
  { call: () => carnet.listToolsetTools('no'), type: 'toolset', says: 'Toolset not found' },
  { call: () => carnet.getToolContent('no'), type: 'tool', says: 'Tool not found' },
  { call: () => carnet.getToolMetadata('no'), type: 'tool', says: 'Tool not found' },
])('$says is thrown for a $type that is not there', ({ call, type, says }) => {
  let thrown: unknown
  try {
    call()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(ValidationError)
  expect(thrown).toMatchObject({
    name: 'ValidationError',
    message: says,
    entityType: type,
    entityName: 'no',
  })
})

test.each([
  '',
  '.',
  '../secrets/key.md',
  'guides/../guides/queries.md',
  'guides\\queries.md',
  '/key',
])('the file %j is not read, and the error lists those that can be', (path) => {
  expect(() => carnet.loadSkillFile('webSearch', path)).toThrow(
    expect.objectContaining({
      message: 'File not found in skill',
      entityType: 'file',
      entityName: path,
      context: { skillName: 'webSearch', availableFiles: 'guides/queries.md' },
    }),
  )
})

test('a skill without files says that it has none', () => {
  expect(() => carnet.loadSkillFile('documents', 'a.md')).toThrow(
    expect.objectContaining({ context: { skillName: 'documents', availableFiles: 'none' } }),
  )
})
