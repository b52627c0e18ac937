import { expect, test } from 'vitest'
import { selectEnvironment, substituteVariables } from '../../src/kernel/substitute-variables.ts'

test.each([
  ['{{ NAME }} and {{NAME}}', { NAME: 'Ada' }, 'Ada and Ada'],
  ['{{\tA_1\n}}', { A_1: 'x' }, 'x'],
  ['{{ A }}', { A: "$& $1 $` $' $$" }, "$& $1 $` $' $$"],
  ['{{ A }}', { A: '{{ B }}', B: 'never' }, '{{ B }}'],
  ['{{{ A }}}', { A: 'x' }, '{x}'],
  ['{{ A', { A: 'x' }, '{{ A'],
  ['{{ A-B }}', { A: 'x' }, '{{ A-B }}'],
  ['{{ A }}', { A: '' }, ''],
])('%j with %j is %j', (text, scope, expected) => {
  expect(substituteVariables(text, [scope]).text).toBe(expected)
})

test('later scopes win, and used and unknown names are reported once', () => {
  const environment = new Map([
    ['CITY', 'Oslo'],
    ['TEAM', 'red'],
  ])
  const text = '{{ TEAM }} {{ CITY }} {{ TEAM }} {{ NO }} {{NO}}'
  expect(substituteVariables(text, [environment, { TEAM: 'blue' }])).toEqual({
    text: 'blue Oslo blue {{ NO }} {{NO}}',
    used: ['TEAM', 'CITY'],
    unknown: ['NO'],
    filled: [],
    unfilled: [],
  })
})

test('names of object properties are unknown until a scope has them', () => {
  const text = '{{ __proto__ }} {{ constructor }} {{ toString }}'
  expect(substituteVariables(text, [{}]).unknown).toEqual(['__proto__', 'constructor', 'toString'])
  expect(substituteVariables('{{ __proto__ }}', [new Map([['__proto__', 'x']])]).text).toBe('x')
})

test('of an environment only allowed names are taken, by prefix only when asked', () => {
  const environment = { HOME: '/root', APP_TEAM: 'red', APP_KEY: 'secret', GONE: undefined }
  const taken = (selection: Parameters<typeof selectEnvironment>[1]) =>
    Object.fromEntries(selectEnvironment(environment, selection))
  expect(taken({ names: [] })).toEqual({})
  expect(taken({ names: [], prefix: '' })).toEqual({})
  expect(taken({ names: [], prefix: ['', 'APP_', 'HOM'] })).toEqual(
    taken({ names: ['HOME'], prefix: 'APP_' }),
  )
  expect(taken({ names: ['HOME', 'GONE', 'MISSING'] })).toEqual({ HOME: '/root' })
  expect(taken({ names: ['HOME'], prefix: 'APP_' })).toEqual({
    HOME: '/root',
    APP_TEAM: 'red',
    APP_KEY: 'secret',
  })
})
