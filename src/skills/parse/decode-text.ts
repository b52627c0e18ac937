import type { Findings } from './findings.ts'

/**
 * Decodes the bytes of a file. Returns null and reports the offset if they are not UTF-8. UTF-16 is
 * recognised by its byte order mark, and NUL bytes are refused.
 */
export function decodeText(bytes: Uint8Array, findings: Findings): string | null {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return findings.refuse(
      'encoding-utf16',
      `The file is UTF-16 ${first === 0xff ? 'little' : 'big'} endian, starting at offset 0.`,
      'Save it as UTF-8.',
    )
  }
  const nul = bytes.indexOf(0)
  const text = nul < 0 ? decodeUtf8(bytes) : null
  if (text !== null) return text
  if (nul >= 0) {
    return findings.refuse(
      'encoding-nul',
      `The file contains a NUL byte at offset ${nul}; it is not text.`,
      'Remove the byte, or save the file as UTF-8 if it is UTF-16.',
      byteAt(bytes, nul),
    )
  }
  const offset = invalidOffset(bytes)
  return findings.refuse(
    'encoding-invalid',
    `The file is not UTF-8: the byte at offset ${offset} (0x${bytes[offset]?.toString(16)}) is invalid.`,
    'Save it as UTF-8.',
    byteAt(bytes, offset),
  )
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Returns the offset of the first invalid character. The longest prefix that can be decoded is found by
 * bisection. If the prefix ends inside a character, that character is the invalid one.
 */
function invalidOffset(bytes: Uint8Array): number {
  let valid = 0
  let invalid = bytes.length + 1
  while (valid + 1 < invalid) {
    const middle = (valid + invalid) >> 1
    if (decodesSoFar(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  if (decodeUtf8(bytes.subarray(0, valid)) !== null) return valid
  // The start of the last character.
  let at = valid - 1
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}

function decodesSoFar(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Returns the place of a byte. */
function byteAt(bytes: Uint8Array, offset: number) {
  let line = 1
  let start = 0
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}
