import { ToolError } from 'loadout'

/** Read a body of at most so many bytes; more is an error, and the rest is never read. */
export async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxBytes) {
      throw new ToolError('PERMANENT', `The answer is larger than ${maxBytes} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
