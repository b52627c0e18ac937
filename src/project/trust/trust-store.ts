import { readFile, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { type ContentHash, contentHash, textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { comparePaths, isInside } from '../walk/is-inside.ts'
import { DEFAULT_LIMITS } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { readInside } from '../walk/read-inside.ts'
import { replacePrivateFile } from '../walk/replace-file.ts'
import { walkFolders } from '../walk/walk-folders.ts'

/** The current trust in a folder. */
export type TrustStatus =
  | { readonly status: 'trusted'; readonly record: TrustRecord }
  /** The folder was never trusted. */
  | { readonly status: 'untrusted' }
  /**
   * The folder was trusted, and these files (by path from the trusted folder) have changed since.
   */
  | { readonly status: 'changed'; readonly record: TrustRecord; readonly files: readonly string[] }

/**
 * The folders whose code may run on behalf of a user. Each is bound to the digests of that code.
 */
export interface TrustStore {
  /** The file of the store. */
  readonly file: string
  /** Trusts a folder with its current content. */
  trust(folder: string): Promise<TrustRecord>
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

/** Returns true when code of a folder may run. Calls `onChanged` for a trusted folder that changed. */
export async function isTrusted(
  folder: string,
  { trusted, trustStore = openTrustStore() }: TrustOptions,
  onChanged?: (record: TrustRecord, files: readonly string[]) => void,
): Promise<boolean> {
  if (trusted !== undefined) return trusted
  const answer = await trustStore.check(folder)
  if (answer.status === 'changed') onChanged?.(answer.record, answer.files)
  return answer.status === 'trusted'
}

/**
 * Opens the trust store of a user, by default the file in the configuration folder. The file is
 * read at each check, so changes by other processes apply at once.
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
      const others = (await readTrustFile(file)).filter((record) => record.folder !== real)
      const all = [...others, record].sort((a, b) => (a.folder < b.folder ? -1 : 1))
      await writeTrustFile(file, all)
      return record
    },
    async untrust(folder) {
      const real = await realpath(folder).catch(() => folder)
      const records = await readTrustFile(file)
      const kept = records.filter((record) => record.folder !== real)
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

function nearestRecord(records: readonly TrustRecord[], real: string): TrustRecord | undefined {
  return records
    .filter(({ folder }) => isInside(folder, real))
    .reduce<TrustRecord | undefined>(
      (best, record) => (best && best.folder.length >= record.folder.length ? best : record),
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

/** Matches files that an import can run or read as configuration, and scripts. */
const EXECUTABLE_FILES =
  /\.(?:[cm]?[jt]sx?|json|node|wasm|sh|bash|zsh|fish|py[cdw]?|rb|pl|pm|php|lua|ps1|r|awk|so)$/i

/** The folder of a skill's scripts, which may load any file in it. */
const SCRIPTS_FOLDER = 'scripts'

const MAX_BYTES = 64 * 1024 * 1024

/** The files of a folder that importing from it may run, by path, with their digests. */
interface TrustDigest {
  readonly digest: ContentHash
  readonly files: ReadonlyMap<string, ContentHash>
}

/**
 * Computes the digests of every file below a folder (its real path) that an import could reach, or
 * that is a script: all JavaScript, TypeScript, JSON and binary modules, scripts of any language,
 * and all files below a folder `scripts`, also through links. `node_modules` is left out, and
 * modules outside the folder are not covered. Throws `TRUST_TOO_LARGE` for a folder with too many
 * folders to read all of it.
 */
async function trustDigest(folder: string): Promise<TrustDigest> {
  const walk = await walkFolders(
    folder,
    {
      limits: { ...DEFAULT_LIMITS, maxDepth: 24, maxFolders: 20_000 },
      followLinksOut: true,
    },
    () => true,
  )
  if (walk.diagnostics.some(({ code }) => code === 'scan-cut')) throw folderTooLarge(folder)
  const isScripts = (path: string) => relative(folder, path).split(sep).includes(SCRIPTS_FOLDER)
  const paths = walk.folders.flatMap((inner) =>
    inner.entries
      .filter((entry) => !entry.isDirectory())
      .filter((entry) => EXECUTABLE_FILES.test(entry.name) || isScripts(inner.path))
      .map((entry) => join(inner.path, entry.name)),
  )
  const digests = await mapBounded(paths.sort(comparePaths), FILES_AT_ONCE, async (path) => {
    const outcome = await readInside(folder, path, { maxBytes: MAX_BYTES, followLinksOut: true })
    const hash = outcome.ok ? textHash(outcome.bytes) : textHash(outcome.fault.code)
    return [relative(folder, path).replaceAll('\\', '/'), hash] as const
  })
  return { digest: contentHash(digests), files: new Map(digests) }
}

function folderTooLarge(folder: string): WorkspaceError {
  return new WorkspaceError('TRUST_TOO_LARGE', `"${folder}" has too many folders to trust.`, {
    facts: { folder },
    hint: 'Trust only the folder that contains the skills or the configuration.',
  })
}

/** A trusted folder, with its content at that time. */
export interface TrustRecord {
  /** Its real path. */
  readonly folder: string
  readonly digest: ContentHash
  /** Path from the folder and digest of each executable file. */
  readonly files: readonly (readonly [string, ContentHash])[]
}

export const hashSchema = z.custom<ContentHash>(
  (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value),
)

const trustFileSchema = z.object({
  format: z.literal(1),
  folders: z.array(
    z.object({
      folder: z.string(),
      digest: hashSchema,
      files: z.array(z.tuple([z.string(), hashSchema])),
    }),
  ),
})

/**
 * Returns `loadout/trust.json` in the user's configuration folder (`XDG_CONFIG_HOME`, or
 * `~/.config`).
 */
export function defaultTrustFile(): string {
  const configured = process.env['XDG_CONFIG_HOME']
  const folder =
    configured !== undefined && configured.startsWith('/') ? configured : join(homedir(), '.config')
  return join(folder, 'loadout', 'trust.json')
}

/** Reads the records of a trust file; none when there is no file. Throws `TRUST_DAMAGED`. */
async function readTrustFile(file: string): Promise<readonly TrustRecord[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    return trustFileSchema.parse(JSON.parse(text)).folders
  } catch (error) {
    throw new WorkspaceError('TRUST_DAMAGED', `The trust file "${file}" is not valid.`, {
      facts: { file },
      hint: 'Remove it and trust the folders again.',
      cause: error,
    })
  }
}

async function writeTrustFile(file: string, folders: readonly TrustRecord[]): Promise<void> {
  await replacePrivateFile(file, `${JSON.stringify({ format: 1, folders }, null, 2)}\n`)
}
