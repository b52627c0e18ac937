import { fileURLToPath } from 'node:url'
import { readNamedFile } from '../disk/read-named-file.ts'
import { ConfigError } from './config-error.ts'
import { ParseError } from './parse-error.ts'

/**
 * The JSON of a manifest's file, not yet checked. Only regular files are read. Throws `ConfigError`
 * for a file that cannot be read, `ParseError` with the line for one that is no JSON.
 */
export async function readManifestFile(file: string | URL): Promise<unknown> {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const read = await readNamedFile(path)
  if (!read.ok) {
    throw new ConfigError('Cannot read the manifest', { path, reason: read.fault.message })
  }
  const text = read.text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ParseError('The manifest is no JSON', path, lineOf(text, reason), { reason })
  }
}

/** The line that the parser's message points to, when it says where. */
function lineOf(text: string, reason: string): number | undefined {
  const position = /position (\d+)/.exec(reason)?.[1]
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
}
