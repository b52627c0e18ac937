import type { OpenFile } from './open-inside.ts'

/** What a file's bytes turned out to be. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string; readonly complete: boolean }
  | { readonly kind: 'binary' }

/** Bytes of one file that are looked at. */
export const MOST_BYTES = 4 * 1024 * 1024

/**
 * A file's first `MOST_BYTES` as text: UTF-8, or UTF-16 when its byte order mark says so.
 * Anything else, and anything with a NUL byte, is binary.
 */
export async function readText({ handle, stats }: OpenFile): Promise<FileText> {
  const buffer = Buffer.alloc(Math.min(stats.size, MOST_BYTES) + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  const complete = length < buffer.length
  const bytes = buffer.subarray(0, buffer.length - 1).subarray(0, length)
  const encoding = encodingOf(bytes)
  if (encoding === 'utf-8' && bytes.includes(0)) return { kind: 'binary' }
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return { kind: 'text', text: decoder.decode(bytes, { stream: !complete }), complete }
  } catch {
    return { kind: 'binary' }
  }
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
