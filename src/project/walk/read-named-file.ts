import type { FileFault } from './file-fault.ts'
import { readInside } from './read-inside.ts'

/** Bytes: a manifest of ten thousand skills has some fifty million, and a text no more than 2^29. */
const MAX_BYTES = 256 * 1024 * 1024

type NamedFile =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: FileFault }

/**
 * The text of a file that somebody named, wherever links lead. A pipe or device is never waited for, and
 * a file that is too large never read.
 */
export async function readNamedFile(path: string): Promise<NamedFile> {
  const outcome = await readInside('', path, { maxBytes: MAX_BYTES, followLinksOut: true })
  return outcome.ok ? { ok: true, text: Buffer.from(outcome.bytes).toString('utf8') } : outcome
}
