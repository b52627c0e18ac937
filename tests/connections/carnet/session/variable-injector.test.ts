import { VariableInjector } from 'loadout/carnet'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.stubEnv('CARNET_PLACE', 'env')
  vi.stubEnv('PUBLIC_PLACE', 'public')
  vi.stubEnv('MYAPP_PLACE', 'mine')
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  { text: '{{ A }} {{A}} {{  A  }}', says: 'own own own' },
  { text: '{{ B }}', says: 'call' },
  { text: '{{ CARNET_PLACE }} {{ PUBLIC_PLACE }}', says: 'env public' },
  { text: '{{ MYAPP_PLACE }}', says: '{{ MYAPP_PLACE }}' },
  { text: '{{ UNKNOWN }} {{ lower }} {{ 1A }}', says: '{{ UNKNOWN }} {{ lower }} {{ 1A }}' },
  { text: '{{ NESTED }}', says: '{{ A }} $& $1' },
  { text: '{{ EMPTY }}.', says: '.' },
])('$text becomes $says', ({ text, says }) => {
  const variables = { A: 'own', B: 'own', NESTED: '{{ A }} $& $1', EMPTY: '' }
  expect(new VariableInjector({ variables }).inject(text, { B: 'call' })).toBe(says)
})

test('other prefixes take the place of the usual ones', () => {
  const injector = new VariableInjector({ envPrefixes: ['MYAPP_'] })
  expect(injector.inject('{{ MYAPP_PLACE }} {{ CARNET_PLACE }}')).toBe('mine {{ CARNET_PLACE }}')
})

test('the environment is read when a text asks for it', () => {
  const injector = new VariableInjector()
  vi.stubEnv('CARNET_PLACE', 'later')
  expect(injector.inject('{{ CARNET_PLACE }}')).toBe('later')
})

test('it reports if a text has variables, however often it is asked', () => {
  const injector = new VariableInjector()
  for (let time = 0; time < 3; time += 1) {
    expect(injector.hasVariables('a {{ B }}')).toBe(true)
    expect(injector.hasVariables('a {{ b }} {B}')).toBe(false)
  }
})

test('a text without variables is never changed', () => {
  const injector = new VariableInjector({ variables: { A: 'a' } })
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!injector.hasVariables(text))
      expect(injector.inject(text)).toBe(text)
    }),
  )
})
