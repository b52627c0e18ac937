import { expect, test } from 'vitest'
import { parseAgentFile } from '../../../src/skills/parse/parse-agent-file.ts'

const read = (text: string, unlisted?: '*' | 'none', sidecar?: string) =>
  parseAgentFile(
    {
      text,
      file: 'agents/support/AGENT.md',
      folder: 'support',
      ...(sidecar !== undefined && {
        sidecar: { text: sidecar, file: 'agents/support/schema.json' },
      }),
    },
    unlisted,
  )

test('an agent file gives the fields of Carnet, our own keys and the prompt', () => {
  expect(
    read(`---
name: support
description: Helps customers.
initialSkills: [refunds]
skills:
  - orders
metadata:
  loadout.mode: voice
  loadout.tools: search refund*
  loadout.versions: search@^1
  loadout.exclusive: "true"
  loadout.discovery: suggest
  loadout.pinned: search
  loadout.display-name: Support desk
---

You help. {{ NAME }}
`),
  ).toEqual({
    definition: {
      name: 'support',
      displayName: 'Support desk',
      description: 'Helps customers.',
      prompt: 'You help. {{ NAME }}',
      initialSkills: ['refunds'],
      skills: ['orders'],
      mode: 'voice',
      tools: ['search', 'refund*'],
      versions: ['search@^1'],
      exclusive: true,
      discovery: 'suggest',
      pinned: ['search'],
    },
    diagnostics: [],
  })
})

test.each([
  { field: '', unlisted: '*' as const, skills: undefined },
  { field: '', unlisted: 'none' as const, skills: [] },
  { field: 'skills: "*"\n', unlisted: 'none' as const, skills: '*' },
  { field: 'skills: []\n', unlisted: '*' as const, skills: [] },
  { field: 'skills: a, b\n', unlisted: '*' as const, skills: ['a', 'b'] },
])('an agent with "$field" may load $skills ($unlisted)', ({ field, unlisted, skills }) => {
  const { definition } = read(`---\nname: support\ndescription: D.\n${field}---\n`, unlisted)
  expect(definition?.skills).toEqual(skills)
})

test('a schema.json next to it supplies missing fields, and the front matter wins', () => {
  const { definition, diagnostics } = read(
    '---\nname: support\n---\nYou help.',
    '*',
    '{\n  "name": "other",\n  "description": "D.",\n  "initialSkills": ["a"]\n}',
  )
  expect(definition).toMatchObject({ name: 'support', description: 'D.', initialSkills: ['a'] })
  expect(diagnostics).toMatchObject([
    { code: 'field-twice', file: 'agents/support/schema.json', line: 2 },
  ])
  expect(read('You help.', '*', '{"name":"support","description":"D."}').definition).toMatchObject({
    name: 'support',
    prompt: 'You help.',
  })
})

test.each([
  { text: 'You help.', code: 'front-matter-missing', severity: 'error' },
  { text: '---\nname: support\n---\n', code: 'description-missing', severity: 'info' },
  { text: '---\ndescription: D.\n---\n', code: 'name-missing', severity: 'warning' },
  { text: '---\nname: other\ndescription: D.\n---\n', code: 'name-mismatch', severity: 'warning' },
  {
    text: '---\nname: support\ndescription: D.\nmodel: m\n---\n',
    code: 'unknown-field',
    severity: 'warning',
  },
  {
    text: '---\nname: support\ndescription: D.\nmetadata:\n  loadout.discovery: maybe\n---\n',
    code: 'field-value',
    severity: 'warning',
  },
])('$code is $severity', ({ text, code, severity }) => {
  const { definition, diagnostics } = read(text)
  expect(diagnostics).toMatchObject([{ code, severity, file: 'agents/support/AGENT.md' }])
  expect(definition === null).toBe(severity === 'error')
})

test('names that JavaScript knows are ordinary agents and fields', () => {
  const { definition, diagnostics } = read(
    '---\nname: constructor\ndescription: D.\n__proto__: x\n---\n',
  )
  expect(definition).toMatchObject({ name: 'constructor' })
  expect(diagnostics.map(({ code }) => code)).toEqual(['name-mismatch', 'unknown-field'])
})
