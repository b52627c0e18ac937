import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../../../src/skills/parse/decode-text.ts'
import { Findings } from '../../../src/skills/parse/findings.ts'

function decode(bytes: Uint8Array) {
  const findings = new Findings('x.md')
  return { text: decodeText(bytes, findings), diagnostics: findings.list }
}

test.each([
  {
    name: 'UTF-16 little endian',
    bytes: [0xff, 0xfe, 0x61, 0],
    code: 'encoding-utf16',
    says: 'offset 0',
  },
  {
    name: 'UTF-16 big endian',
    bytes: [0xfe, 0xff, 0, 0x61],
    code: 'encoding-utf16',
    says: 'offset 0',
  },
  { name: 'a NUL byte', bytes: [0x61, 0x0a, 0x62, 0], code: 'encoding-nul', says: 'offset 3' },
  {
    name: 'a byte of Latin-1',
    bytes: [0x61, 0xe9, 0x62],
    code: 'encoding-invalid',
    says: 'offset 1 (0xe9)',
  },
  {
    name: 'a byte that never is',
    bytes: [0x61, 0x0a, 0xff],
    code: 'encoding-invalid',
    says: 'offset 2 (0xff)',
  },
  {
    name: 'a letter cut short',
    bytes: [0x61, 0xe2, 0x82],
    code: 'encoding-invalid',
    says: 'offset 1 (0xe2)',
  },
  {
    name: 'a letter broken off',
    bytes: [0xe2, 0x82, 0x61],
    code: 'encoding-invalid',
    says: 'offset 0 (0xe2)',
  },
  {
    name: 'an overlong letter',
    bytes: [0x61, 0xc0, 0xaf],
    code: 'encoding-invalid',
    says: 'offset 1 (0xc0)',
  },
  {
    name: 'half a surrogate pair',
    bytes: [0xed, 0xa0, 0x80],
    code: 'encoding-invalid',
    says: 'offset 0 (0xed)',
  },
])('$name is refused and its place named', ({ bytes, code, says }) => {
  const { text, diagnostics } = decode(Uint8Array.from(bytes))
  expect(text).toBeNull()
  expect(diagnostics).toMatchObject([{ code, severity: 'error' }])
  expect(diagnostics[0]?.message).toContain(says)
})

test('any text without NUL is decoded unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0'))
      expect(decode(Buffer.from(text)).text).toBe(text)
    }),
  )
})

test('an invalid byte after any text is found at its offset', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0'))
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xff]), Buffer.from(text)])
      const offset = Buffer.byteLength(text)
      expect(decode(bytes).diagnostics[0]?.message).toContain(`offset ${offset} (0xff)`)
    }),
  )
})
