import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ToolError } from 'loadout'

/** The bytes of a body after decompression, up to a limit. */
export interface Body {
  readonly bytes: Uint8Array
  /** False when there was more than the limit. */
  readonly complete: boolean
}

/** Read a body as it comes and hang up at the limit, however small it was on the wire. */
export async function readBody(message: IncomingMessage, most: number): Promise<Body> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of decompressed(message)) {
      parts.push(part as Buffer)
      length += (part as Buffer).length
      if (length > most) break
    }
  } finally {
    message.destroy()
  }
  return { bytes: Buffer.concat(parts).subarray(0, most), complete: length <= most }
}

function decompressed(message: IncomingMessage): AsyncIterable<unknown> {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = decoderOf(encoding)
  // The loop above is told of a failure by the decoder itself, which the pipeline destroys.
  return decoder === undefined ? message : pipeline(message, decoder, () => {})
}

function decoderOf(encoding: string): NodeJS.ReadWriteStream | undefined {
  switch (encoding) {
    case 'identity':
    case '':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new ToolError('PERMANENT', `The page is encoded as "${encoding}", which is not read.`)
  }
}
