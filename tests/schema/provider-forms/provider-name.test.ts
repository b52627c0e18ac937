import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownName, providerName } from '../../../src/schema/provider-forms/provider-name.ts'
import {
  type Provider,
  SCHEMA_PROVIDERS,
} from '../../../src/schema/provider-forms/provider-schema.ts'

/** Written down independently of the sources. */
const ACCEPTED: Readonly<Record<Provider, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/u,
  'openai-strict': /^[a-zA-Z0-9_-]{1,64}$/u,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/u,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/u,
  mcp: /^[A-Za-z0-9_.-]{1,128}$/u,
}

const HASH = /__[0-9a-v]{20}$/u

const plain = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/u)
const looksEncoded = fc.stringMatching(/^[A-Za-z0-9_.-]{0,100}__[0-9a-v]{20}$/u)
const address = fc.tuple(plain, plain).map(([owner, name]) => `${owner}/${name}`)
const anyName = fc.oneof(plain, looksEncoded, address, fc.string({ unit: 'binary' }))

test.each<[string, Provider, string]>([
  ['read_file', 'openai', 'read_file'],
  ['read-File2', 'anthropic', 'read-File2'],
  ['fs.read_file', 'gemini', 'fs.read_file'],
  ['fs.read_file', 'mcp', 'fs.read_file'],
  ['fs.read_file', 'openai', 'fs_read_file__o78fv39214ddhvrckqeb'],
  ['fs.read_file', 'openai-strict', 'fs_read_file__o78fv39214ddhvrckqeb'],
  ['fs.read_file', 'anthropic', 'fs_read_file__o78fv39214ddhvrckqeb'],
  ['github/list', 'mcp', 'github_list__'],
  ['3d.print', 'gemini', '_3d.print__'],
  ['-x', 'gemini', '_-x__'],
  ['', 'openai', '__'],
  ['größe', 'openai', 'gr__e__'],
  ['a'.repeat(64), 'openai', 'a'.repeat(64)],
  ['a'.repeat(65), 'openai', `${'a'.repeat(42)}__`],
])('%j for %s is %s', (name, provider, expected) => {
  const sent = providerName(name, provider)
  expect(sent === name ? sent : sent.slice(0, expected.length)).toBe(expected)
  expect(sent).toMatch(ACCEPTED[provider])
})

test.each(SCHEMA_PROVIDERS)(
  '10,000 random names fit %s, are different there, and come back',
  (provider) => {
    const toolOf = new Map<string, string>()
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { minLength: 200, maxLength: 200 }), (names) => {
        // Also names that are the forms of others, and the forms of those.
        const forms = names.map((name) => providerName(name, provider))
        for (const name of [
          ...names,
          ...forms,
          ...forms.map((one) => providerName(one, provider)),
        ]) {
          const sent = providerName(name, provider)
          expect(sent).toMatch(ACCEPTED[provider])
          expect(toolOf.get(sent) ?? name).toBe(name)
          toolOf.set(sent, name)
        }
        for (const name of names.slice(0, 3)) {
          expect(ownName(providerName(name, provider), names, provider)).toBe(name)
        }
      }),
      { numRuns: 50 },
    )
    expect(toolOf.size).toBeGreaterThanOrEqual(10_000)
  },
)

test.each(SCHEMA_PROVIDERS)(
  'a name that fits %s and has no hash at its end is unchanged',
  (provider) => {
    fc.assert(
      fc.property(fc.stringMatching(ACCEPTED[provider]), (name) => {
        fc.pre(!HASH.test(name) && !(name in Object.prototype))
        expect(providerName(name, provider)).toBe(name)
        expect(ownName(name, [], provider)).toBe(name)
      }),
    )
  },
)

test('a name that every object has gets a hash: clients look names up in plain objects', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const sent = providerName(name, 'openai')
    expect(sent).toMatch(HASH)
    expect(ownName(sent, ['add', name], 'openai')).toBe(name)
  }
})

test('a tool that is named like the form of another does not get its calls', () => {
  const names = ['fs.read_file', providerName('fs.read_file', 'openai')]
  const sent = names.map((name) => providerName(name, 'openai'))
  expect(sent[0]).toBe(names[1])
  expect(sent[1]).not.toBe(sent[0])
  for (const order of [names, names.toReversed()]) {
    expect(sent.map((one) => ownName(one, order, 'openai'))).toEqual(names)
  }
})

test('a hash after another beginning is no name of the tool', () => {
  const sent = providerName('fs.read_file', 'openai')
  const disguised = sent.replace('fs_read_file', 'harmless')
  expect(ownName(disguised, ['fs.read_file'], 'openai')).toBe(disguised)
})

test('a name of no tool is returned unchanged', () => {
  const sent = providerName('fs.read_file', 'openai')
  expect(ownName(sent, ['fs.write_file'], 'openai')).toBe(sent)
  expect(ownName('made_up', ['fs.write_file'], 'openai')).toBe('made_up')
})
