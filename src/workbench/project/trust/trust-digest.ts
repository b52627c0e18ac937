import type { Dirent } from 'node:fs'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type ContentHash, WorkspaceError } from '../../../entries/index.ts'
import { contentHash, textHash } from '../../../entries/kit.ts'
import { keyFile } from './user-seal.ts'
import { comparePaths } from '../walk/is-inside.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { readInside } from '../walk/read-inside.ts'
import { type Folder, walkFolders } from '../walk/walk-folders.ts'

const MAX_FOLDERS = 20_000
const MAX_DEPTH = 128
const MAX_FILES = 50_000
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Git's own data in the folder itself: it changes with every command of Git, and no checkout brings it. */
export const GIT_DATA = '.git'

/**
 * Computes the digests of every file below a folder (its real path), by path from it, also through links: any file
 * can be imported, sourced or read by code. Only `.git` in the folder itself is left out, and
 * `trustFile` and the key next to it, which are written on their own. Modules outside the folder are not covered.
 *
 * Throws `TRUST_TOO_LARGE` or `TRUST_UNREADABLE` for a folder that cannot be read completely.
 */
export async function trustDigest(
  folder: string,
  trustFile: string,
): Promise<{ readonly digest: ContentHash; readonly files: ReadonlyMap<string, ContentHash> }> {
  const { files } = await listTrusted(folder, trustFile)
  const digests = await mapBounded(
    files,
    FILES_AT_ONCE,
    async ({ entry, path }) =>
      [trustedPath(folder, path), await fileDigest(folder, path, entry)] as const,
  )
  return { digest: contentHash(digests), files: new Map(digests) }
}

/** Returns the path from a trusted folder that its record has for a file. */
export function trustedPath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

/** The folders and files that trust in a folder covers, also through links. */
export interface TrustedListing {
  readonly folders: readonly Folder[]
  /** Sorted by path. */
  readonly files: readonly TrustedFile[]
}

interface TrustedFile {
  readonly path: string
  /** Its real path, except where the file itself is a link. */
  readonly real: string
  readonly entry: Dirent
}

/** Lists what `trustDigest` reads, and throws the same errors. */
export async function listTrusted(
  folder: string,
  trustFile: string | null,
): Promise<TrustedListing> {
  const own = trustFile === null ? [] : [trustFile, keyFile(trustFile)]
  const leftOut = new Set([join(folder, GIT_DATA), ...own])
  const walk = await walkFolders(
    folder,
    { limits: { maxDepth: MAX_DEPTH, maxFolders: MAX_FOLDERS }, followLinksOut: true },
    () => true,
    (path) => leftOut.has(path),
  )
  if (walk.diagnostics.some(({ code }) => code === 'scan-cut')) {
    throw tooLarge(folder, `"${folder}" has too many folders to trust.`)
  }
  const unreadable = walk.diagnostics.find(({ code }) => code === 'file-unreadable')
  if (unreadable !== undefined) {
    throw unreadableFile(folder, unreadable.file ?? folder, unreadable.message)
  }
  const files = walk.folders.flatMap((inner) =>
    inner.entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => ({
        entry,
        path: join(inner.path, entry.name),
        real: join(inner.real, entry.name),
      }))
      .filter(({ path }) => !leftOut.has(path)),
  )
  if (files.length > MAX_FILES) {
    throw tooLarge(folder, `"${folder}" has too many files to trust: ${files.length}.`)
  }
  files.sort((a, b) => comparePaths(a.path, b.path))
  return { folders: walk.folders, files }
}

/** Returns the content of a linked file, if the link leads there as its recorded digest says; undefined otherwise. */
export async function linkedContent(
  link: string,
  recorded: ContentHash,
): Promise<ContentHash | undefined> {
  const content = await readFile(link).then(textHash, () => null)
  if (content === null) return undefined
  return contentHash({ target: await linkTarget(link), content }) === recorded ? content : undefined
}

/**
 * A link counts by the place where it leads in the end, through other links, and by the content of that, a special
 * file by its kind.
 */
async function fileDigest(folder: string, path: string, entry: Dirent): Promise<ContentHash> {
  const target = entry.isSymbolicLink() ? await linkTarget(path) : null
  const outcome = await readInside(folder, path, {
    maxBytes: MAX_FILE_BYTES,
    followLinksOut: true,
  })
  if (!outcome.ok) {
    const { code, message } = outcome.fault
    if (code === 'file-too-large') {
      throw tooLarge(folder, `"${path}" is too large to trust: ${message}`, path)
    }
    if (code === 'file-unreadable' || entry.isFile()) throw unreadableFile(folder, path, message)
  }
  const content = outcome.ok ? textHash(outcome.bytes) : textHash(outcome.fault.message)
  return target === null ? content : contentHash({ target, content })
}

/** Returns the path that a link has; its real path when it leads there through other links. */
async function linkTarget(link: string): Promise<string> {
  const target = await readlink(link).catch(() => '')
  const real = await realpath(link).catch(() => null)
  return real === null || real === resolve(dirname(link), target) ? target : real
}

function tooLarge(folder: string, message: string, path = folder): WorkspaceError {
  return new WorkspaceError('TRUST_TOO_LARGE', message, {
    facts: { folder, path },
    hint: 'Trust only the folder that contains the skills or the configuration.',
  })
}

function unreadableFile(folder: string, path: string, why: string): WorkspaceError {
  return new WorkspaceError('TRUST_UNREADABLE', `"${path}" cannot be trusted. ${why}`, {
    facts: { folder, path },
    hint: 'Make it readable, or remove it from the folder.',
  })
}
