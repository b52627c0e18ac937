import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  predictChange,
  type RequestImage,
  type RequestPart,
} from '../../../../src/workspace/offer/exposure/predict-change.ts'
import { PROVIDER_FACTS } from '../../../../src/workspace/offer/exposure/provider-facts.ts'

/** A part of as many tokens as letters, written as its name and its text. */
const part = (id: string, text = id, tokens = text.length): RequestPart => ({
  id,
  key: `${id} ${text}`,
  tokens,
  text: () => text,
})

const image = (tools: string[], instructions: string, conversation: string[]): RequestImage => ({
  tools: tools.map((text) => part(text.slice(0, 1), text)),
  instructions: [part('instructions', instructions)],
  conversation: conversation.map((text) => part(text)),
})

const free = { ...PROVIDER_FACTS.anthropic, minimum: 0, grain: 1 }
const systemFirst = { ...PROVIDER_FACTS.compatible, minimum: 0, read: 0.5, write: 1 }
const before = image(['aaaa', 'bbbb'], 'be kind', ['hello'])

test('the first request keeps nothing, loses nothing and is written whole', () => {
  expect(predictChange(null, before, free)).toEqual({
    changed: null,
    kept: 0,
    reread: 0,
    price: 20 * 1.25,
    lost: 0,
    parts: [...before.tools, ...before.instructions, ...before.conversation].map((one, at) => ({
      ...one,
      segment: ['tools', 'tools', 'instructions', 'conversation'][at],
    })),
    shared: 0,
  })
})

test.each([
  ['the same again', before, null, 20, 0],
  ['more conversation', image(['aaaa', 'bbbb'], 'be kind', ['hello', 'you']), null, 20, 0],
  [
    'a tool at the end',
    image(['aaaa', 'bbbb', 'cc'], 'be kind', ['hello']),
    { segment: 'tools', part: 'c', at: 8, byte: 8 },
    8,
    12,
  ],
  [
    'a tool in front',
    image(['cc', 'aaaa', 'bbbb'], 'be kind', ['hello']),
    { segment: 'tools', part: 'c', at: 0, byte: 0 },
    0,
    20,
  ],
  [
    'the first tool gone',
    image(['bbbb'], 'be kind', ['hello']),
    { segment: 'tools', part: 'a', at: 0, byte: 0 },
    0,
    16,
  ],
  [
    'the last tool gone',
    image(['aaaa'], 'be kind', ['hello']),
    { segment: 'tools', part: 'b', at: 4, byte: 5 },
    4,
    12,
  ],
  [
    'another definition of a tool',
    image(['aaaa', 'bbxx'], 'be kind', ['hello']),
    { segment: 'tools', part: 'b', at: 4, byte: 6 },
    4,
    12,
  ],
  [
    'other instructions',
    image(['aaaa', 'bbbb'], 'be cruel', ['hello']),
    { segment: 'instructions', part: 'instructions', at: 8, byte: 11 },
    8,
    5,
  ],
  [
    'another conversation',
    image(['aaaa', 'bbbb'], 'be kind', ['summary']),
    { segment: 'conversation', part: 'hello', at: 15, byte: 15 },
    15,
    0,
  ],
])('%s', (_, next, changed, kept, reread) => {
  const predicted = predictChange(before, next, free)
  expect(predicted).toMatchObject({ changed, kept, reread })
  expect(predicted.lost).toBeCloseTo(reread * (free.write - free.read))
})

test('the order is the provider’s: behind a system text that comes first, less is lost', () => {
  const next = image(['aaaa', 'bbbb', 'cc'], 'be kind', ['hello'])
  expect(predictChange(before, next, systemFirst)).toMatchObject({
    changed: { segment: 'tools', part: 'c', at: 15, byte: 15 },
    kept: 15,
    reread: 5,
    lost: 2.5,
  })
})

test('below the minimum nothing is cached, and above it in whole grains', () => {
  const longer = image(['aaaa', 'bbbb'], 'be kind', ['hello', 'you'])
  const read = (minimum: number, grain: number) =>
    predictChange(before, longer, { ...free, minimum, grain, read: 0, write: 1 }).price
  expect(read(0, 1)).toBe(3)
  expect(read(20, 1)).toBe(3)
  expect(read(21, 1)).toBe(23)
  expect(read(0, 8)).toBe(7)
})

test('bytes are those of UTF-8, and never part a character', () => {
  const old = image(['ä😀'], 'x', [])
  const next = image(['ä😁'], 'x', [])
  expect(predictChange(old, next, free).changed).toMatchObject({ segment: 'tools', byte: 2 })
})

test('a part whose text is not known any more changes at its first byte', () => {
  const { text: _, ...known } = part('instructions', 'be kind')
  const old = { ...before, instructions: [known] }
  const next = image(['aaaa', 'bbbb'], 'be cruel', ['hello'])
  expect(predictChange(old, next, free).changed).toMatchObject({ byte: 8 })
})

const words = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd'), { maxLength: 5 })
const anyImage = fc
  .tuple(words, fc.constantFrom('', 'i', 'jj'), words)
  .map(([tools, text, more]) => image(tools, text, more))

test('the change is the first byte that differs, whatever the two requests are', () => {
  fc.assert(
    fc.property(anyImage, anyImage, fc.constantFrom(free, systemFirst), (old, next, facts) => {
      const written = (one: RequestImage) =>
        facts.order.flatMap((segment) => one[segment].map(({ text }) => text?.() ?? '')).join('')
      const { changed, kept, reread, price, lost } = predictChange(old, next, facts)
      const [a, b] = [written(old), written(next)]
      if (changed === null) expect(b.startsWith(a)).toBe(true)
      else expect(b.slice(0, changed.byte)).toBe(a.slice(0, changed.byte))
      expect(kept + reread).toBeLessThanOrEqual(b.length)
      expect(lost).toBeGreaterThanOrEqual(0)
      expect(lost).toBeLessThanOrEqual(price)
    }),
  )
})
