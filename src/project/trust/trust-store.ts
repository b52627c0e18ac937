import { realpath } from 'node:fs/promises'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isInside } from '../walk/is-inside.ts'
import { trustDigest } from './trust-digest.ts'
import { defaultTrustFile, readTrustFile, type TrustRecord, writeTrustFile } from './trust-file.ts'

/** What the user's word about a folder is worth now. */
export type TrustStatus =
  | { readonly status: 'trusted'; readonly record: TrustRecord }
  /** Nobody said so. */
  | { readonly status: 'untrusted' }
  /** It was trusted, and these files (by path from the trusted folder) are others since. */
  | { readonly status: 'changed'; readonly record: TrustRecord; readonly files: readonly string[] }

/** The folders whose code a user lets run, each bound to the digests of that code. */
export interface TrustStore {
  /** Where it is kept. */
  readonly file: string
  /** Trust a folder as it is now. */
  trust(folder: string): Promise<TrustRecord>
  /** Take trust back; false when the folder itself was not trusted. */
  untrust(folder: string): Promise<boolean>
  /** Whether a folder, or the nearest one above it that was trusted, is as it was. */
  check(folder: string): Promise<TrustStatus>
  list(): Promise<readonly TrustRecord[]>
}

/**
 * Open the trust of a user, by default the file in the configuration folder. The file is read
 * at each question, so another process's word counts at once.
 */
export function openTrustStore({
  file = defaultTrustFile(),
}: { readonly file?: string } = {}): TrustStore {
  return {
    file,
    async trust(folder) {
      const real = await realFolder(folder)
      const { digest, files } = await trustDigest(real)
      const record: TrustRecord = { folder: real, digest, files: [...files] }
      const others = (await readTrustFile(file)).filter((one) => one.folder !== real)
      const all = [...others, record].sort((a, b) => (a.folder < b.folder ? -1 : 1))
      await writeTrustFile(file, all)
      return record
    },
    async untrust(folder) {
      const real = await realpath(folder).catch(() => folder)
      const records = await readTrustFile(file)
      const kept = records.filter((one) => one.folder !== real)
      if (kept.length === records.length) return false
      await writeTrustFile(file, kept)
      return true
    },
    async check(folder) {
      const real = await realFolder(folder)
      const record = nearestRecord(await readTrustFile(file), real)
      if (record === undefined) return { status: 'untrusted' }
      const { digest, files } = await trustDigest(record.folder)
      return digest === record.digest
        ? { status: 'trusted', record }
        : { status: 'changed', record, files: changedFiles(new Map(record.files), files) }
    },
    list: () => readTrustFile(file),
  }
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no folder at "${folder}".`, {
      facts: { path: folder },
      hint: 'Give the folder that holds the skills or the configuration.',
      cause: error,
    })
  }
}

function nearestRecord(records: readonly TrustRecord[], real: string): TrustRecord | undefined {
  return records
    .filter(({ folder }) => isInside(folder, real))
    .reduce<TrustRecord | undefined>(
      (best, one) => (best && best.folder.length >= one.folder.length ? best : one),
      undefined,
    )
}

function changedFiles(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()])
  return [...paths].filter((path) => before.get(path) !== now.get(path)).sort()
}
