import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor, REDACTED } from '../../src/kernel/redactor.ts'

const SECRET = 'correct "horse"/staple'

const small = (text: string) => text.toLowerCase()
const unicode = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`

describe('by value', () => {
  const { text, value } = createRedactor({
    keys: [],
    prefixes: [],
    secrets: [SECRET, 'abcdef', 'defghi'],
  })

  test.each([
    { what: 'nothing', given: 'a horse', shown: 'a horse' },
    { what: 'a secret', given: `<${SECRET}>`, shown: '<[redacted]>' },
    { what: 'one that comes twice', given: `${SECRET} ${SECRET}`, shown: '[redacted] [redacted]' },
    {
      what: 'one as JSON has it',
      given: JSON.stringify({ SECRET }),
      shown: '{"SECRET":"[redacted]"}',
    },
    {
      what: 'one as URLs have it',
      given: `?q=${encodeURIComponent(SECRET)}&`,
      shown: '?q=[redacted]&',
    },
    { what: 'two that overlap', given: '-abcdefghi-', shown: '-[redacted]-' },
    { what: 'two that touch', given: '-abcdefdefghi-', shown: '-[redacted]-' },
    { what: 'half of one', given: 'abcde', shown: 'abcde' },
    { what: 'the start of one that was cut', given: 'a corre… b', shown: 'a [redacted]… b' },
    {
      what: 'the start of one at the end',
      given: '-abcdef, abcd…',
      shown: '-[redacted], [redacted]…',
    },
    { what: 'too little of one', given: 'cor…', shown: 'cor…' },
    { what: 'nothing at all', given: '', shown: '' },
  ])('$what is shown as $shown', ({ given, shown }) => {
    expect(text(given)).toBe(shown)
  })

  const odd = `p@ss w/rd!'(1)*&<b>+é~$,;="q`
  const address = (change: (url: URL) => void) => {
    const url = new URL('https://host/')
    change(url)
    return url.href
  }
  test.each([
    { writer: 'encodeURIComponent', given: encodeURIComponent(odd) },
    { writer: 'encodeURI', given: encodeURI(odd) },
    { writer: 'a form', given: new URLSearchParams({ key: odd }).toString() },
    { writer: 'a password in an address', given: address((url) => (url.password = odd)) },
    { writer: 'a path', given: address((url) => (url.pathname = odd)) },
    { writer: 'a query', given: address((url) => (url.search = odd)) },
    { writer: 'a fragment', given: address((url) => (url.hash = odd)) },
    { writer: 'small letters', given: encodeURIComponent(odd).replaceAll(/%../g, small) },
    { writer: 'JSON for a page', given: JSON.stringify(odd).replaceAll(/[<>&]/g, unicode) },
    { writer: 'JSON in ASCII', given: JSON.stringify(odd).replaceAll(/[^\0-\x7f]/g, unicode) },
    { writer: 'JSON that escapes slashes', given: JSON.stringify(odd).replaceAll('/', '\\/') },
  ])('one as $writer writes it', ({ given }) => {
    const redactor = createRedactor({ keys: [], prefixes: [], secrets: [odd] })
    expect(redactor.text(given)).toContain(REDACTED)
    expect(redactor.text(given)).not.toMatch(/rd(!|%21)/)
  })

  test('a secret of several lines is hidden line by line, but for its short lines', () => {
    const key = 'BEGIN\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\nEND'
    const redactor = createRedactor({ secrets: [key] })
    expect(redactor.text(key)).toBe(REDACTED)
    expect(redactor.text('> MIIEvQIBADANBgkqhkiG9w0B\r\n> END')).toBe('> [redacted]\r\n> END')
  })

  test('names of members are redacted, too, and no member is lost', () => {
    expect(value({ [`a ${SECRET}`]: 1, 'a [redacted]': 2 })).toEqual({
      'a [redacted]': 1,
      'a [redacted] 2': 2,
    })
  })

  test('no part of a secret is left in any data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (data, before, after) => {
        const given = { data, deep: [{ [before]: `${before}${SECRET}${after}` }] }
        expect(JSON.stringify(value(given))).not.toContain(JSON.stringify(SECRET).slice(1, -1))
      }),
    )
  })

  test('data without secrets is returned itself, not as a copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const redactor = createRedactor({
          keys: ['nobody'],
          secrets: ['\u{1F512}\u{1F512}\u{1F512}'],
        })
        expect(redactor.value(data)).toBe(data)
      }),
    )
  })

  test.each(['', 'short'])('a secret such as %j is refused', (secret) => {
    expect(() => createRedactor({ secrets: ['long enough', secret] })).toThrow(
      expect.objectContaining({ code: 'REDACTION_INVALID', facts: { index: 1, least: 6 } }),
    )
  })

  test('the replacement of a secret is never redacted', () => {
    const redactor = createRedactor({ secrets: ['redacted', 'redact'] })
    expect(redactor.text('redacted [redacted]')).toBe('redacted [redacted]')
  })
})

describe('by the names of members', () => {
  const { value, texts } = createRedactor({})

  test.each([
    'password',
    'PASSWORD',
    'apiKey',
    'api_key',
    'X-Api-Key',
    'client secret',
    'Set-Cookie',
  ])('%j holds a secret', (key) => {
    expect(value({ [key]: { deep: 1 } })).toEqual({ [key]: REDACTED })
  })

  test.each(['tokens', 'tokenizer', 'key', 'nextPageToken', 'author', 'secretary', '__proto__'])(
    '%j does not',
    (key) => {
      const given = JSON.parse(`{${JSON.stringify(key)}: "open"}`) as object
      expect(value(given)).toBe(given)
    },
  )

  test.each([null, true, false, ''])('an absent value and a switch are shown: %j', (member) => {
    expect(value({ password: member })).toEqual({ password: member })
  })

  test('a pattern of the host replaces the defaults', () => {
    const redactor = createRedactor({ keys: ['card*number'] })
    expect(redactor.value({ card_number: 1, cardHolderNumber: 2, password: 3 })).toEqual({
      card_number: REDACTED,
      cardHolderNumber: REDACTED,
      password: 3,
    })
  })

  test('a schema keeps its members, whatever they are called', () => {
    const schema = { properties: { password: { type: 'string' } } }
    expect(texts(schema)).toBe(schema)
  })
})

describe('by how keys begin', () => {
  const { text } = createRedactor({})

  test.each([
    { given: 'use sk-abcdefgh12345678, please', shown: 'use [redacted], please' },
    { given: 'Authorization: Bearer eyJhbGciOi.J9_x-y~z==', shown: 'Authorization: [redacted]' },
    { given: 'ghp_0123456789', shown: '[redacted]' },
    { given: 'sk-short', shown: 'sk-short' },
    { given: 'a risk-management-plan', shown: 'a risk-management-plan' },
    { given: 'Basic instincts matter', shown: 'Basic instincts matter' },
    { given: 'Basic YWRhOmxvdmVsYWNlLW9m', shown: '[redacted]' },
  ])('$given', ({ given, shown }) => {
    expect(text(given)).toBe(shown)
  })

  test('a text that begins a thousand keys is redacted quickly and loses nothing', () => {
    const given = 'sk-'.repeat(100_000)
    expect(text(given)).toBe(REDACTED)
  })
})

test('hiding twice is hiding once', () => {
  const redactor = createRedactor({ secrets: ['sesame street'] })
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('password', 'note', 'sesame street'), fc.jsonValue()),
      fc.constantFrom('sesame street', 'sk-0123456789', 'open'),
      (data, text) => {
        const once = redactor.value({ ...data, text })
        expect(redactor.value(once)).toEqual(once)
      },
    ),
  )
})
