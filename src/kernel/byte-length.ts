const encoder = new TextEncoder()

/** Encodes a text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** False in a browser. */
const hasBuffer = typeof Buffer === 'function'

/** Returns the bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return hasBuffer ? Buffer.byteLength(text) : utf8(text).length
}

/** Writes bytes as standard base64. */
export function toBase64(bytes: Uint8Array): string {
  if (hasBuffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  return btoa(latin1(bytes))
}

/** Reads base64. What is not base64 gives other bytes, or none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (hasBuffer) return new Uint8Array(Buffer.from(text, 'base64'))
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** Writes each byte as one character. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
