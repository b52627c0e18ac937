import { expect, test } from 'vitest'
import { type AgentDefinition, defineAgent } from '../../../src/skills/definition/define-agent.ts'

const full = {
  name: 'support',
  displayName: 'Support desk',
  description: 'Helps customers.',
  prompt: 'Be kind.',
  initialSkills: ['tickets'],
  skills: ['refunds'],
  tools: ['ticket_*'],
  versions: ['search@^1'],
  mode: 'voice',
  exclusive: true,
  discovery: 'suggest',
  pinned: ['clock'],
} satisfies AgentDefinition

test('a name is enough', () => {
  const { hash, ...agent } = defineAgent({ name: 'front-desk' })
  expect(hash).toMatch(/^sha256:/)
  expect(agent).toEqual({
    name: 'front-desk',
    displayName: 'Front Desk',
    description: '',
    prompt: '',
    initialSkills: [],
    skills: '*',
    versions: [],
    exclusive: false,
  })
})

test.each<Partial<AgentDefinition>>([
  { name: 'sales' },
  { displayName: 'Desk' },
  { description: '' },
  { prompt: '' },
  { initialSkills: [] },
  { skills: '*' },
  { skills: ['*'] },
  { tools: [] },
  { versions: [] },
  { mode: 'text' },
  { exclusive: false },
  { discovery: 'activate-on-call' },
  { pinned: [] },
])('the hash changes with %j', (change) => {
  expect(defineAgent({ ...full, ...change }).hash).not.toBe(defineAgent(full).hash)
})

test('an agent without a mode has the hash that it always had: the one of text', () => {
  const { mode: _, ...free } = full
  expect(defineAgent(free).hash).toBe(defineAgent({ ...full, mode: 'text' }).hash)
})

test('the hash does not depend on where the agent was read from', () => {
  expect(defineAgent({ ...full, path: '/x/AGENT.md' }).hash).toBe(defineAgent(full).hash)
})

test('the agent is frozen and shares no list with its definition', () => {
  const definition = structuredClone(full)
  const agent = defineAgent(definition)
  definition.skills.push('late')
  expect(agent.skills).toEqual(['refunds'])
  expect([agent, agent.skills, agent.tools, agent.versions].every(Object.isFrozen)).toBe(true)
})

test.each<[field: string, definition: unknown]>([
  ['discovery', { name: 'a', discovery: true }],
  ['pinned', { name: 'a', pinned: 'clock' }],
  ['', undefined],
  ['name', {}],
  ['name', { name: 'a b' }],
  ['prompt', { name: 'a', prompt: ['text'] }],
  ['skills', { name: 'a', skills: 'all' }],
  ['mode', { name: 'a', mode: '' }],
  ['versions', { name: 'a', versions: ['search@latest?'] }],
  ['initialSkill', { name: 'a', initialSkill: 'x' }],
])('a broken definition is refused and %j is named: %j', (field, definition) => {
  expect(() => defineAgent(definition as AgentDefinition)).toThrow(
    expect.objectContaining({ code: 'AGENT_INVALID', facts: expect.objectContaining({ field }) }),
  )
})

test.each<[field: string, meant: string]>([
  ['instructions', 'prompt'],
  ['system', 'prompt'],
  ['systemPrompt', 'prompt'],
  ['skill', 'skills'],
  ['initial_skills', 'initialSkills'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  expect(() => defineAgent({ name: 'support', [field]: 'x' })).toThrow(
    expect.objectContaining({
      code: 'AGENT_INVALID',
      message: `Agent "support": "${field}" is not a field of an agent.`,
      hint: `Did you mean "${meant}"?`,
      facts: { name: 'support', field },
    }),
  )
})
