import { expect, test } from 'vitest'
import { contentHash, textHash } from '../../src/kernel/content-hash.ts'

test('the hash of a text is the SHA-256 of its UTF-8 bytes', () => {
  const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(textHash('abc')).toBe(abc)
  expect(textHash(new TextEncoder().encode('abc'))).toBe(abc)
  expect(textHash('é')).toBe(textHash(Uint8Array.of(0xc3, 0xa9)))
})

test('reordered keys do not change the hash, every other difference does', () => {
  const hash = contentHash({ a: 1, b: { c: 'x', d: [1, 2] } })
  expect(contentHash({ b: { d: [1, 2], c: 'x' }, a: 1 })).toBe(hash)
  expect(contentHash({ b: { d: [2, 1], c: 'x' }, a: 1 })).not.toBe(hash)
  expect(contentHash({ b: { d: [1, 2], c: 'X' }, a: 1 })).not.toBe(hash)
  expect(contentHash('abc')).not.toBe(textHash('abc'))
})
