import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './config-error.ts'
import { ParseError } from './parse-error.ts'

/** Bytes. A manifest of ten thousand skills has some twenty million. */
const LARGEST = 256 * 1024 * 1024

/**
 * The JSON of a manifest's file, not yet checked. Only regular files are opened. Throws
 * `ConfigError` for a file that cannot be read, `ParseError` with the line for one that is no JSON.
 */
export async function readManifestFile(file: string | URL): Promise<unknown> {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error instanceof Error ? error.message : String(error))
  })
  if (!found.isFile()) throw unreadable(path, 'It is no regular file.')
  if (found.size > LARGEST)
    throw unreadable(path, `It has ${found.size} bytes; ${LARGEST} are read.`)
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ParseError('The manifest is no JSON', path, lineOf(text, reason), { reason })
  }
}

function unreadable(path: string, reason: string): ConfigError {
  return new ConfigError('Cannot read the manifest', { path, reason })
}

/** The line that the parser's message points to, when it says where. */
function lineOf(text: string, reason: string): number | undefined {
  const position = /position (\d+)/.exec(reason)?.[1]
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
}
