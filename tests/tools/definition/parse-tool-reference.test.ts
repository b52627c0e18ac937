import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineTool } from '../../../src/tools/define-tool.ts'
import {
  parseToolReference,
  pickVersion,
} from '../../../src/tools/definition/parse-tool-reference.ts'

const versioned = (name: string, version: string) =>
  defineTool({ name, description: `${name} ${version}`, version })

test.each([
  ['search', { name: 'search', range: '*' }],
  ['search@^1', { name: 'search', range: '^1' }],
  ['search@2.1.0', { name: 'search', range: '2.1.0' }],
  ['search@ >=1 <3 ', { name: 'search', range: '>=1 <3' }],
  ['__proto__', { name: '__proto__', range: '*' }],
])('%s is read', (text, reference) => {
  expect(parseToolReference(text)).toEqual(reference)
})

test.each(['', '@1', 'search@', 'search@one', 'a b', 'owner/search', '..', `a@${'1'.repeat(300)}`])(
  '%j names no tool',
  (text) => {
    expect(() => parseToolReference(text)).toThrow(
      expect.objectContaining({ code: 'TOOL_REFERENCE_INVALID' }),
    )
  },
)

describe('the highest version that fits is picked', () => {
  const tools = ['1.2.0', '1.10.0', '2.0.0', '3.0.0-beta.1'].map((one) => versioned('search', one))

  test.each([
    ['search', '2.0.0'],
    ['search@^1', '1.10.0'],
    ['search@1.2.0', '1.2.0'],
    ['search@^3.0.0-beta', '3.0.0-beta.1'],
    ['search@^4', undefined],
    ['open', undefined],
  ])('%s: %s', (text, version) => {
    expect(pickVersion(parseToolReference(text), tools)?.version).toBe(version)
  })

  test('a pre-release alone is picked by name', () => {
    const only = [versioned('search', '1.0.0-rc.1')]
    expect(pickVersion(parseToolReference('search'), only)?.version).toBe('1.0.0-rc.1')
    expect(pickVersion(parseToolReference('search@^1'), only)).toBeUndefined()
  })

  test('whatever the order they come in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(tools, { minLength: 4 }), (shuffled) => {
        expect(pickVersion(parseToolReference('search@^1'), shuffled)?.version).toBe('1.10.0')
      }),
    )
  })

  test('of two equal versions the first', () => {
    const [first, second] = [versioned('search', '1.0.0'), versioned('search', '1.0.0')]
    expect(pickVersion(parseToolReference('search'), [first, second])).toBe(first)
  })
})
