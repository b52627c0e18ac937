import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Catalog, type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { byName, textHash } from '../../../entries/kit.ts'
import {
  changedSince,
  type Lock,
  LOCK_FORMAT,
  type LockedFile,
  type LockedServer,
  type LockedSkill,
  readLock,
  skillUri,
} from '../../../entries/manifest.ts'
import { CARNET_CONFIG } from '../../../connections/carnet/format/carnet-files.ts'
import { LOCK_FILE } from '../config/default-paths.ts'
import type { LoadedItem } from '../folders/loaded.ts'
import type { Project } from '../folders/open-project.ts'
import { pathFromBase } from '../manifest/build-project.ts'
import { readGeneratedFile } from '../manifest/load-manifest.ts'
import { findFiles } from '../walk/find-files.ts'
import { isInside } from '../walk/is-inside.ts'
import { BUILD_LIMITS } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { readInside } from '../walk/read-inside.ts'

/** The number of files is not limited: a file that is left out could change unnoticed. */
const LOCK_LIMITS = { ...BUILD_LIMITS, maxDepth: Infinity }

/** Maximum size of one file in bytes. */
const MAX_BYTES = 256 * 1024 * 1024

/** A file that belongs to a definition in another file. */
const SIDECAR_FILE = 'schema.json'

/**
 * Computes the digests of every file of a project, below the locked folder: complete folders of
 * skills and shared tools, and the files of toolsets, agents, rules and configurations. Throws
 * `LOCK_UNREADABLE` for a file that cannot be read, since a lock must be complete.
 */
export async function lockProject(
  {
    catalog,
    config,
    items,
    carnet,
    serverFiles,
  }: Pick<Project, 'catalog' | 'config' | 'items' | 'carnet' | 'serverFiles'>,
  folder: string,
): Promise<Lock> {
  const inside = items.filter(({ path }) => isInside(folder, path))
  const isSkill = ({ kind, path }: LoadedItem) =>
    kind === 'skill' && /^skill\.md$/iu.test(basename(path))
  const skills = [...new Set(inside.filter(isSkill).map(({ path }) => path))]
  const skillFolders = skills.map(dirname)
  const isShared = (path: string) =>
    isInside(folder, path) && !skillFolders.some((one) => isInside(one, path))
  const shared = inside.filter((item) => !isSkill(item) && isShared(item.path))
  const toolFolders = new Set(
    shared.filter(({ kind }) => kind === 'tool').map(({ path }) => dirname(path)),
  )
  const alone = [
    ...shared.map(({ path }) => path),
    ...(config.file === null ? [] : [config.file]),
    ...serverFiles.map(({ file }) => file),
    ...(await existingFiles([
      ...shared.map(({ path }) => join(dirname(path), SIDECAR_FILE)),
      ...carnet.map((one) => join(one.folder, CARNET_CONFIG)),
    ])),
  ].filter(isShared)
  const servers = lockedServers(catalog)
  const files = new Set([...(await Promise.all([...toolFolders].map(filesBelow))).flat(), ...alone])
  return {
    format: LOCK_FORMAT,
    version: catalog.hash,
    skills: (await mapBounded(skills, 4, (path) => lockSkill(path, folder))).sort((a, b) =>
      byName(a.uri, b.uri),
    ),
    files: await mapBounded([...files].sort(byName), FILES_AT_ONCE, (path) =>
      lockFile(path, folder),
    ),
    ...(servers.length > 0 && { servers }),
  }
}

/** Returns the stored tools of the servers of a catalog. */
function lockedServers({ servers }: Catalog): readonly LockedServer[] {
  return [...(servers?.values() ?? [])].flatMap(({ name, hash, listing }): LockedServer[] => {
    if (listing === undefined) return []
    const { tools, instructions } = listing
    return [{ name, hash, tools, ...(instructions !== undefined && { instructions }) }]
  })
}

async function existingFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)))
  return paths.filter((_, index) => found[index] !== null)
}

async function lockSkill(path: string, base: string): Promise<LockedSkill> {
  const folder = dirname(path)
  const files = await filesBelow(folder)
  const place = pathFromBase(base, folder) || basename(folder)
  const fileAddress = (file: string) => skillUri(`${place}/${pathFromBase(folder, file)}`)
  const resources = await mapBounded(files, FILES_AT_ONCE, async (file) => {
    const { digest, size } = await lockFile(file, folder)
    return { uri: fileAddress(file), digest, size }
  })
  return { uri: fileAddress(path), resources: resources.sort((a, b) => byName(a.uri, b.uri)) }
}

/**
 * Returns every file of a folder except those of editors, version control and installed packages.
 */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const [entries, real] = await Promise.all([
    readdir(folder, { withFileTypes: true }),
    realpath(folder),
  ])
  entries.sort((a, b) => byName(a.name, b.name))
  const options = { limits: LOCK_LIMITS, followLinksOut: false }
  const skipped: Diagnostic[] = []
  const start = { path: folder, real, depth: 0, entries }
  const paths = await findFiles(start, () => false, options, skipped)
  for (const { file = folder, message, hint } of skipped) throw unreadable(file, message, hint)
  return paths.map((path) => join(folder, path))
}

async function lockFile(path: string, base: string): Promise<LockedFile> {
  const real = await realpath(base)
  const outcome = await readInside(real, path, { maxBytes: MAX_BYTES, followLinksOut: false })
  if (outcome.ok) {
    const { bytes } = outcome
    return { path: pathFromBase(base, path), digest: textHash(bytes), size: bytes.length }
  }
  throw unreadable(path, outcome.fault.message, outcome.fault.hint)
}

function unreadable(path: string, why: string, hint: string): WorkspaceError {
  return new WorkspaceError('LOCK_UNREADABLE', `"${path}" cannot be locked. ${why}`, {
    facts: { path },
    hint,
  })
}

/** Returns a finding for each file of an added skill that is not the one that was copied. None without a lock. */
export async function addedSkillFindings(folder: string): Promise<readonly Diagnostic[]> {
  const lock = await loadLock(join(folder, LOCK_FILE)).catch((error: unknown) => {
    if (WorkspaceError.is(error)) return null
    throw error
  })
  const found = await mapBounded(
    lock?.added ?? [],
    FILES_AT_ONCE,
    async (skill): Promise<Diagnostic[]> => {
      const base = join(folder, skill.folder)
      const exists = (await lstat(base).catch(() => null))?.isDirectory() === true
      if (!isInside(folder, base)) return []
      if (!exists) {
        const message = `The skill "${skill.name}" that was copied from ${skill.origin} is not here.`
        const hint = 'Copy it again: loadout lock --install.'
        const file = join(folder, LOCK_FILE)
        return [{ code: 'added-skill-changed', severity: 'warning', message, hint, file }]
      }
      const files = await mapBounded(await filesBelow(base), FILES_AT_ONCE, (path) =>
        lockFile(path, base),
      )
      const now = new Map(files.map(({ path, digest }) => [path, digest]))
      return changedSince(skill.files, now).map((path): Diagnostic => ({
        code: 'added-skill-changed',
        severity: 'warning',
        message: `The file "${path}" of the skill "${skill.name}" is not the one that was copied from ${skill.origin}.`,
        hint: `Compare it with its origin: loadout update ${skill.name}.`,
        file: join(base, now.has(path) ? path : 'SKILL.md'),
      }))
    },
  )
  return found.flat()
}

/** Returns a lock that keeps the records of added skills whose folders it has. */
export function keepAdded(lock: Lock, before: Lock | null): Lock {
  const uris = new Set(lock.skills.map(({ uri }) => uri.slice(0, uri.lastIndexOf('/'))))
  const added = before?.added?.filter(({ folder }) => uris.has(skillUri(folder))) ?? []
  return added.length === 0 ? lock : { ...lock, added }
}

/** Reads a lock's file. Throws `PATH_NOT_FOUND`, `FILE_UNREADABLE` or `LOCK_INVALID`. */
export async function loadLock(file: string): Promise<Lock> {
  const kind = { name: 'lock', command: 'lock', invalid: 'LOCK_INVALID' } as const
  return readLock(await readGeneratedFile(file, kind))
}
