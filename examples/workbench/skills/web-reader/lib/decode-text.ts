/** Text with the name of the encoding it was in. */
export interface DecodedText {
  readonly text: string
  readonly charset: string
}

/** Bytes of a page that may declare its encoding, as the HTML standard has it. */
const DECLARED_WITHIN = 1024

/**
 * Bytes as text: by the byte order mark, else the header, else what an HTML page declares in its
 * first bytes, else UTF-8. Bytes that do not fit become the replacement character.
 */
export function decodeText(bytes: Uint8Array, contentType: string): DecodedText {
  const named = byteOrderMark(bytes) ?? charsetIn(contentType) ?? declared(bytes) ?? 'utf-8'
  return decodeAs(named, bytes) ?? { text: new TextDecoder().decode(bytes), charset: 'utf-8' }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** The `charset` of a content type, in a header or a meta element. */
function charsetIn(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([^"'\s;>/]{1,40})/i.exec(contentType)?.[1]
}

function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARED_WITHIN))
  const meta = start.toLowerCase().indexOf('<meta')
  return meta < 0 ? undefined : charsetIn(start.slice(meta))
}

/** Undefined when no decoder goes by that name. */
function decodeAs(charset: string, bytes: Uint8Array): DecodedText | undefined {
  try {
    const decoder = new TextDecoder(charset)
    return { text: decoder.decode(bytes), charset: decoder.encoding }
  } catch {
    return undefined
  }
}
