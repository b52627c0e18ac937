import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Manifest } from '../../catalog/manifest/manifest.ts'
import { ownVersion } from './package-version.ts'

/** Where a manifest comes from: what must not be in it, since it differs from build to build. */
export interface Provenance {
  readonly version: ContentHash
  readonly digest: ContentHash
  /** ISO 8601, UTC. */
  readonly builtAt: string
  /** The commit of the folder that was built; null outside version control. */
  readonly commit: string | null
  /** Something in that folder differs from the commit; null when there is none. */
  readonly changed: boolean | null
  readonly loadout: string
  readonly node: string
}

/** Milliseconds that version control is waited for: provenance is worth no more. */
const PATIENCE_MS = 5_000

/** Say where a manifest of this folder comes from, built now. */
export async function provenanceOf(
  { version, digest }: Pick<Manifest, 'version' | 'digest'>,
  folder: string,
): Promise<Provenance> {
  const commit = await git(folder, ['rev-parse', 'HEAD'])
  const status = commit === null ? null : await git(folder, ['status', '--porcelain', '--', '.'])
  return {
    version,
    digest,
    builtAt: new Date().toISOString(),
    commit,
    changed: status === null ? null : status !== '',
    loadout: ownVersion(),
    node: process.version,
  }
}

/** What git answers; null when it is not there, or this is no repository of it. */
async function git(folder: string, words: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...words], {
      timeout: PATIENCE_MS,
      // A repository that somebody else made may name programs to run in its settings.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_COUNT: '1', ...NO_MONITOR },
    })
    return stdout.trim()
  } catch {
    return null
  }
}

const NO_MONITOR = { GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'false' }
