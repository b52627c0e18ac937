import { ENTITIES } from './entities.ts'

const REFERENCE = /&(?:#[xX]([0-9a-fA-F]{1,8})|#(\d{1,8})|([a-zA-Z][a-zA-Z0-9]{1,30}));?/g

/**
 * Replace character references by what they stand for: numbers, the names of Latin-1, and those
 * of common punctuation and signs. A name that is not known, or that lacks its semicolon, stays
 * as written (`?a=1&copy=2` is an address).
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10))
    return whole.endsWith(';') ? (ENTITIES.get(name ?? '') ?? whole) : whole
  })
}

const REPLACEMENT = '\uFFFD'
const windows1252 = new TextDecoder('windows-1252')

/** The character of a number; 128 to 159 are read as Windows-1252, as every browser does. */
function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return REPLACEMENT
  if (code >= 0x80 && code < 0xa0) return windows1252.decode(Uint8Array.of(code))
  return String.fromCodePoint(code)
}
