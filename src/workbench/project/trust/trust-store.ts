import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { z } from 'zod'
import { type ContentHash, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { isInside } from '../walk/is-inside.ts'
import { readOwnFile } from '../walk/read-own-file.ts'
import { changePrivateFile } from '../walk/replace-file.ts'
import { userHome } from '../walk/user-home.ts'
import { GIT_DATA, trustDigest } from './trust-digest.ts'

/** The current trust in a folder. */
export type TrustStatus =
  | { readonly status: 'trusted'; readonly record: TrustRecord }
  /** The folder was never trusted. */
  | { readonly status: 'untrusted' }
  /**
   * The folder was trusted, and these files (by path from the trusted folder) have changed since.
   * Without files, trust was given by a version that did not cover every file.
   */
  | { readonly status: 'changed'; readonly record: TrustRecord; readonly files: readonly string[] }

/**
 * The folders whose code may run on behalf of a user. Each is bound to the digests of all its files.
 */
export interface TrustStore {
  /** The file of the store; null without a home, when no folder is trusted. */
  readonly file: string | null
  /**
   * Trusts a folder with its current content. Throws `TRUST_TOO_LARGE` or `TRUST_UNREADABLE` if not
   * every file can be read, and `TRUST_NO_HOME`.
   *
   * @param read the content that a person has read; throws `TRUST_CHANGED` when it is no longer that
   */
  trust(folder: string, read?: Pick<TrustRecord, 'digest'>): Promise<TrustRecord>
  /** Returns the record that `trust` would store. */
  read(folder: string): Promise<TrustRecord>
  /** Withdraws trust; returns false when the folder itself was not trusted. */
  untrust(folder: string): Promise<boolean>
  /** Checks a folder, or its nearest trusted parent, for changes. */
  check(folder: string): Promise<TrustStatus>
  list(): Promise<readonly TrustRecord[]>
}

export interface TrustOptions {
  /** True or false for all folders; by default the trust store decides. */
  readonly trusted?: boolean
  /** The user's own by default. */
  readonly trustStore?: TrustStore
}

export const TRUST_OPTIONS: OptionsOf<TrustOptions> = { trusted: 'switch', trustStore: 'object' }

/**
 * Opens the trust store of a user, by default the file in the configuration folder. The file is
 * read at each check, so changes by other processes apply at once.
 */
export function openTrustStore(options: { readonly file?: string | null } = {}): TrustStore {
  checkOptions(options, { file: 'text or null' })
  const { file = defaultTrustFile() } = options
  return {
    file,
    async trust(folder, before) {
      if (file === null) throw noHome('trust', ', or use --trust for one run')
      const record = await makeRecord(folder, file)
      if (before !== undefined && before.digest !== record.digest) {
        const message = `"${record.folder}" was not trusted: it changed while you read it.`
        throw new WorkspaceError('TRUST_CHANGED', message, {
          facts: { folder: record.folder },
          hint: 'Read it again, then trust it.',
        })
      }
      await changePrivateFile(file, async () => {
        const others = (await readTrustFile(file)).filter((one) => one.folder !== record.folder)
        return trustText([...others, record].sort((a, b) => (a.folder < b.folder ? -1 : 1)))
      })
      return record
    },
    async read(folder) {
      if (file === null) throw noHome('trust', ', or use --trust for one run')
      return makeRecord(folder, file)
    },
    async untrust(folder) {
      const real = await realpath(folder).catch(() => folder)
      const records = await readTrustFile(file)
      if (file === null || records.every((record) => record.folder !== real)) return false
      await changePrivateFile(file, async () => {
        const kept = (await readTrustFile(file)).filter((record) => record.folder !== real)
        return trustText(kept)
      })
      return true
    },
    async check(folder) {
      const real = await realFolder(folder)
      const record = nearestRecord(await readTrustFile(file), real)
      if (file === null || record === undefined) return { status: 'untrusted' }
      if (record.outdated === true) return { status: 'changed', record, files: [] }
      const files = await changedFiles(record, file)
      return files.length === 0
        ? { status: 'trusted', record }
        : { status: 'changed', record, files }
    },
    list: () => readTrustFile(file),
  }
}

async function makeRecord(folder: string, trustFile: string): Promise<TrustRecord> {
  const real = await realFolder(folder)
  const { digest, files } = await trustDigest(real, trustFile)
  return { folder: real, digest, files: [...files] }
}

/**
 * Refuses to store below the current folder, where a project could bring its own.
 *
 * @param instead what else the reader can do, after a comma
 */
export function noHome(what: string, instead = ''): WorkspaceError {
  return new WorkspaceError('TRUST_NO_HOME', `There is no home folder to store ${what} in.`, {
    hint: `Set HOME or XDG_CONFIG_HOME to an absolute path${instead}.`,
  })
}

/** Describes in one sentence why code of a folder that was trusted does not run. */
export function trustChangedMessage(files: readonly string[]): string {
  if (files.length === 0) {
    return 'Code was not run: the folder was trusted by a version that did not cover every file.'
  }
  const named = files.slice(0, 5).join(', ')
  return `A trusted folder has changed and its code was not run: ${named}${files.length > 5 ? ' and others' : ''}.`
}

/** Returns the real path of a folder. Throws `PATH_NOT_FOUND` when it does not exist. */
export async function realFolder(
  folder: string,
  hint = 'Give the folder that contains the skills or the configuration.',
): Promise<string> {
  try {
    return await realpath(folder)
  } catch (cause) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no folder at "${folder}".`, {
      facts: { path: folder },
      hint,
      cause,
    })
  }
}

/** Returns the record that covers a folder; none does for Git's own data, which no digest covers. */
export function nearestRecord(
  records: readonly TrustRecord[],
  real: string,
): TrustRecord | undefined {
  return records
    .filter(({ folder }) => isInside(folder, real) && !isInside(join(folder, GIT_DATA), real))
    .reduce<TrustRecord | undefined>(
      (best, record) => (best && best.folder.length >= record.folder.length ? best : record),
      undefined,
    )
}

/** Returns the paths of files that are other than they were, or that cannot be read any more. */
async function changedFiles(
  { folder, files: before }: TrustRecord,
  trustFile: string,
): Promise<readonly string[]> {
  try {
    const { files: now } = await trustDigest(folder, trustFile)
    const known = new Map(before)
    const paths = new Set([...known.keys(), ...now.keys()])
    return [...paths].filter((path) => known.get(path) !== now.get(path)).sort()
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    return [relative(folder, String(error.facts['path'])) || '.']
  }
}

/** A trusted folder, with its content at that time. */
export interface TrustRecord {
  /** Its real path. */
  readonly folder: string
  readonly digest: ContentHash
  /** Path from the folder and digest of each file. */
  readonly files: readonly (readonly [string, ContentHash])[]
  /** Given by a version that did not cover every file: no code runs until trust is given again. */
  readonly outdated?: true
}

export const hashSchema = z.custom<ContentHash>(
  (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value),
)

const trustFileSchema = z.object({
  // Format 1 is that of versions that did not cover every file.
  format: z.literal([1, 2]),
  folders: z.array(
    z.object({
      folder: z.string(),
      digest: hashSchema,
      files: z.array(z.tuple([z.string(), hashSchema])),
      outdated: z.literal(true).optional(),
    }),
  ),
})

/**
 * Returns `loadout/trust.json` in the user's configuration folder (`XDG_CONFIG_HOME`, or
 * `~/.config`); null without a home.
 */
export function defaultTrustFile(
  { XDG_CONFIG_HOME: configured = '' }: Readonly<Record<string, string | undefined>> = process.env,
  home = userHome(),
): string | null {
  if (isAbsolute(configured)) return join(configured, 'loadout', 'trust.json')
  return home === null ? null : join(home, '.config', 'loadout', 'trust.json')
}

/** Reads the records of a trust file; none when there is no file. Throws `TRUST_DAMAGED`. */
async function readTrustFile(file: string | null): Promise<readonly TrustRecord[]> {
  const found = file === null ? null : readOwnFile(file)
  if (file === null || found === null) return []
  if (!found.ok) {
    throw new WorkspaceError('TRUST_DAMAGED', `The trust file "${file}" ${found.message}`, {
      facts: { file },
      hint: `${found.hint} Without it, no folder is trusted.`,
    })
  }
  try {
    const { format, folders } = trustFileSchema.parse(JSON.parse(found.text))
    return folders.map(({ outdated, ...record }) =>
      format === 1 || outdated === true ? { ...record, outdated: true } : record,
    )
  } catch (error) {
    throw new WorkspaceError('TRUST_DAMAGED', `The trust file "${file}" is not valid.`, {
      facts: { file },
      hint: 'Remove it and trust the folders again.',
      cause: error,
    })
  }
}

function trustText(folders: readonly TrustRecord[]): string {
  return `${JSON.stringify({ format: 2, folders }, null, 2)}\n`
}
