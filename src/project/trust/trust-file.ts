import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { replaceFile } from '../walk/disk-replace-file.ts'

/** A folder that was trusted, with what it held then. */
export interface TrustRecord {
  /** Its real path. */
  readonly folder: string
  readonly digest: ContentHash
  /** Path from the folder and digest of each executable file. */
  readonly files: readonly (readonly [string, ContentHash])[]
}

const hash = z.custom<ContentHash>(
  (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value),
)

const trustFile = z.object({
  format: z.literal(1),
  folders: z.array(
    z.object({
      folder: z.string(),
      digest: hash,
      files: z.array(z.tuple([z.string(), hash])),
    }),
  ),
})

/** `loadout/trust.json` in the user's configuration folder (`XDG_CONFIG_HOME`, or `~/.config`). */
export function defaultTrustFile(): string {
  const configured = process.env['XDG_CONFIG_HOME']
  const folder =
    configured !== undefined && configured.startsWith('/') ? configured : join(homedir(), '.config')
  return join(folder, 'loadout', 'trust.json')
}

/** The records of a trust file; none when there is no file. Throws `TRUST_DAMAGED`. */
export async function readTrustFile(file: string): Promise<readonly TrustRecord[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    return trustFile.parse(JSON.parse(text)).folders
  } catch (error) {
    throw new WorkspaceError('TRUST_DAMAGED', `The trust file "${file}" cannot be understood.`, {
      facts: { file },
      hint: 'Remove it and trust the folders again.',
      cause: error,
    })
  }
}

/** Replace a trust file in one step: a reader sees the old file or the new one, whole. */
export async function writeTrustFile(file: string, folders: readonly TrustRecord[]): Promise<void> {
  await replaceFile(file, `${JSON.stringify({ format: 1, folders }, null, 2)}\n`)
}
