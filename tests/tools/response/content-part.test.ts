import { describe, expect, test } from 'vitest'
import {
  type ContentPart,
  describePart,
  partBytes,
  partText,
} from '../../../src/tools/response/content-part.ts'

const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64')

describe('the sentence about a part has its name, media type and size', () => {
  test.each<{ part: ContentPart; sentence: string }>([
    {
      part: { type: 'image', name: 'chart.png', mediaType: 'image/png', data: base64(5_000_000) },
      sentence: 'An image was returned: chart.png, image/png, 5.0 MB.',
    },
    {
      part: { type: 'audio', mediaType: 'audio/wav', data: base64(1_000) },
      sentence: 'An audio file was returned: audio/wav, 1.0 kB.',
    },
    {
      part: { type: 'file', mediaType: 'application/pdf', data: base64(999_950) },
      sentence: 'A file was returned: application/pdf, 1.0 MB.',
    },
    {
      part: { type: 'resource', uri: 'test://a', data: base64(1) },
      sentence: 'A resource was returned: test://a, 1 byte.',
    },
    {
      part: { type: 'resource', uri: 'test://a', mediaType: 'text/plain', text: 'é' },
      sentence: 'A resource was returned: test://a, text/plain, 2 bytes.',
    },
    {
      part: { type: 'resource-link', uri: 'test://a', name: 'a.md', description: 'Notes' },
      sentence: 'A link to a resource was returned: a.md, test://a, Notes.',
    },
    { part: { type: 'text', text: 'four' }, sentence: 'A text was returned: 4 bytes.' },
  ])('$sentence', ({ part, sentence }) => {
    expect(describePart(part)).toBe(sentence)
  })
})

test('the size of data is known from its base64', () => {
  for (let bytes = 0; bytes < 50; bytes += 1) {
    const part = { type: 'file', mediaType: 'a/b', data: base64(bytes) } as const
    expect(partBytes(part)).toBe(bytes)
  }
})

test('as text, a part is its text, or the sentence about it', () => {
  const image: ContentPart = { type: 'image', mediaType: 'image/png', data: base64(300) }
  expect(partText({ type: 'text', text: 'Two rows.' })).toBe('Two rows.')
  expect(partText(image)).toBe(describePart(image))
  expect(partText({ type: 'resource', uri: 'test://a', text: 'Inside.' })).toBe(
    'A resource was returned: test://a, 7 bytes.\n\nInside.',
  )
})
