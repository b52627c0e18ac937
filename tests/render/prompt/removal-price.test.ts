import { expect, test } from 'vitest'
import type { ExposedTool } from '../../../src/engine/model/workspace-event.ts'
import type { ContentHash } from '../../../src/kernel/content-hash.ts'
import { removalPrice } from '../../../src/render/prompt/ledger/prompt-ledger.ts'
import { definitionTokens } from '../../../src/render/prompt/ledger/section-tokens.ts'
import { aTool } from './a-session.ts'

const LETTERS = { name: 'letters', count: (text: string) => text.length }
const tools = ['one', 'two', 'three'].map((name) => aTool(name, `Does ${name}.`))
const byHash = new Map<ContentHash, (typeof tools)[number]>(tools.map((tool) => [tool.hash, tool]))
const exposed: readonly ExposedTool[] = tools.map(({ name, hash }) => ({ name, hash }))
const [one = 0, two = 0, three = 0] = tools.map((tool) => definitionTokens(tool, LETTERS))

const priced = (names: readonly string[], sent: readonly ExposedTool[] | null, behind?: number) =>
  removalPrice(names, sent, (hash) => byHash.get(hash), LETTERS, behind)

test.each<[readonly string[], number, number]>([
  [['one'], one, two + three + 1000],
  [['two'], two, three + 1000],
  [['three'], three, 1000],
  [['one', 'three'], one + three, two + 1000],
  [['unsent'], 0, 0],
  [[], 0, 0],
])('%j frees %d and loses %d', (names, tokensFreed, prefixLost) => {
  expect(priced(names, exposed, 1000)).toEqual({ tokensFreed, prefixLost })
})

test('what is behind the tools is lost only where the provider reads it after them', () => {
  expect(priced(['three'], exposed)).toEqual({ tokensFreed: three, prefixLost: 0 })
})

test('before the first step nothing was sent, and nothing is lost', () => {
  expect(priced(['one'], null, 1000)).toEqual({ tokensFreed: 0, prefixLost: 0 })
})

test('a deferred tool is no part of the prefix', () => {
  const [first, second, last] = exposed
  if (!first || !second || !last) throw new Error('Three were made.')
  const sent = [first, { ...second, deferred: true as const }, last]
  expect(priced(['two'], sent, 1000)).toEqual({ tokensFreed: 0, prefixLost: 0 })
  expect(priced(['one'], sent, 1000)).toEqual({ tokensFreed: one, prefixLost: three + 1000 })
})

test('a definition that nobody has any more counts for nothing', () => {
  const sent = [{ name: 'gone', hash: 'sha256:gone' as ContentHash }, ...exposed]
  expect(priced(['gone'], sent)).toEqual({ tokensFreed: 0, prefixLost: one + two + three })
})
