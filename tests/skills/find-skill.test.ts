import { expect, test } from 'vitest'
import { defineSkill, type SkillDefinition } from '../../src/skills/definition/define-skill.ts'
import { findSkill } from '../../src/skills/find-skill.ts'
import type { Skill } from '../../src/skills/definition/skill.ts'

function skillMap(
  ...definitions: readonly (Pick<SkillDefinition, 'name'> & Partial<SkillDefinition>)[]
): ReadonlyMap<string, Skill> {
  return new Map(
    definitions.map((definition) => [
      definition.name,
      defineSkill({ description: 'Any.', ...definition }),
    ]),
  )
}

const skills = skillMap(
  { name: 'web-research', displayName: 'Find Things Out', aliases: ['browse', 'Internet Search'] },
  { name: 'data.analysis' },
  { name: 'Straße' },
  { name: 'café' },
  { name: 'constructor' },
  { name: 'note-taking', aliases: ['notes'] },
  { name: 'note-keeping', aliases: ['notes'] },
  { name: 'PDF' },
  { name: 'pdf' },
)

test.each([
  ['web-research', 'web-research'],
  ['Web Research', 'web-research'],
  ['WEB_RESEARCH', 'web-research'],
  ['web.research', 'web-research'],
  ['  web   research  ', 'web-research'],
  ['web\u2011research', 'web-research'],
  ['ｗｅｂ-ｒｅｓｅａｒｃｈ', 'web-research'],
  ['find things out', 'web-research'],
  ['BROWSE', 'web-research'],
  ['internet-search', 'web-research'],
  ['Data Analysis', 'data.analysis'],
  ['STRASSE', 'Straße'],
  ['cafe\u0301', 'café'],
  ['constructor', 'constructor'],
  ['Constructor', 'constructor'],
  ['pdf', 'pdf'],
  ['PDF', 'PDF'],
])('%j means %s', (query, name) => {
  expect(findSkill(query, skills)).toEqual({ ok: true, name })
})

test.each([
  ['web-reserch', ['web-research']],
  ['Find Thing Out', ['web-research']],
  ['data-analisys', ['data.analysis']],
  ['notes', ['note-taking', 'note-keeping']],
  ['Pdf', ['PDF', 'pdf']],
  ['spaceflight', []],
  ['', []],
  [' - ', []],
  ['__proto__', []],
  ['toString', []],
])('%j is not guessed; perhaps %j was meant', (query, nearest) => {
  expect(findSkill(query, skills)).toEqual({ ok: false, nearest })
})

test('at most three skills are offered, none of them twice', () => {
  const many = skillMap(
    ...[1, 2, 3, 4, 5].map((n) => ({ name: `report-${n}`, aliases: [`reports-${n}`] })),
  )
  const found = findSkill('report', many)
  expect(found.ok ? [] : found.nearest).toHaveLength(3)
  expect(new Set(found.ok ? [] : found.nearest).size).toBe(3)
})

test('the skills are indexed once, however often one is searched', () => {
  const [[name, skill] = ['', undefined]] = [...skillMap({ name: 'a-skill' })]
  let reads = 0
  const counted = { ...skill, name } as Skill
  Object.defineProperty(counted, 'displayName', { get: () => `Read ${(reads += 1)} times` })
  const map = new Map([[name, counted]])
  for (let n = 0; n < 5; n += 1) expect(findSkill('A Skill', map).ok).toBe(true)
  expect(reads).toBe(1)
})

test('a prefix of a plugin or a kind is left out where one skill has the rest of the name', () => {
  expect(findSkill('superpowers:web-research', skills)).toEqual({ ok: true, name: 'web-research' })
  expect(findSkill('skill:Web Research', skills)).toEqual({ ok: true, name: 'web-research' })
  expect(findSkill('a:b:PDF', skills)).toMatchObject({ ok: true, name: 'PDF' })
  expect(findSkill('plugin:notes', skills)).toMatchObject({ ok: false })
  expect(findSkill('plugin:', skills)).toMatchObject({ ok: false })
  const own = skillMap({ name: 'a', aliases: ['x:b'] }, { name: 'b' })
  expect(findSkill('x:b', own)).toEqual({ ok: true, name: 'a' })
})
