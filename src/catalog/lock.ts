import * as z from 'zod'
import type { ContentHash } from '../kernel/content-hash.ts'
import { byName } from '../kernel/nearest-names.ts'
import { isObject } from '../kernel/json-value.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { bindTool, toolDefinition } from '../tools/definition/make-tool.ts'
import type { ServerListing } from '../tools/definition/tool-server.ts'
import type { Tool, ToolDefinition } from '../tools/definition/tool.ts'
import { isSkillFilePath } from '../skills/definition/define-skill.ts'

/** Increased when this version would misread earlier locks. */
export const LOCK_FORMAT = 1

/**
 * A file, in the form that the Skills over MCP extension (`io.modelcontextprotocol/skills`) uses for
 * the `resources` of a skill. Digest and size are of the raw bytes.
 */
export interface LockedResource {
  readonly uri: string
  readonly digest: ContentHash
  readonly size: number
}

/** A skill with every file of its folder, including `SKILL.md`, each once, sorted by `uri`. */
export interface LockedSkill {
  /** `skill://<path>/SKILL.md`, with the path relative to the locked folder. */
  readonly uri: string
  readonly resources: readonly LockedResource[]
}

/** A file outside skills: of a shared tool, a toolset, an agent, rules, or the configuration. */
export interface LockedFile {
  /** Relative to the locked folder, with `/`. */
  readonly path: string
  readonly digest: ContentHash
  readonly size: number
}

/** A skill that was copied from elsewhere, with its files at that time. */
export interface AddedSkill {
  readonly name: string
  /** Its folder, relative to the locked one, with `/`. */
  readonly folder: string
  /** The address it was copied from, without a password. */
  readonly origin: string
  /** Its folder there; empty for the top. */
  readonly path: string
  /** The branch, tag, commit or version that was asked for; absent for the newest. */
  readonly ref?: string
  /** The commit, or the version of a package, that was copied; absent for a folder. */
  readonly commit?: string
  /** Null when its origin says nothing. */
  readonly license: string | null
  /** The fingerprint of the key that signed its files; absent for a skill without a signature. */
  readonly signer?: string
  /** Every file, by path in its folder. */
  readonly files: readonly LockedFile[]
}

/** The tools that a server listed when it was locked. They can be found, explained and priced without a connection. */
export interface LockedServer {
  readonly name: string
  /** Covers its configuration, without secrets. With another one, these tools are not used. */
  readonly hash: ContentHash
  readonly tools: readonly (ToolDefinition & Pick<Tool, 'hash' | 'nameOnServer'>)[]
  /** The server's own text for a model; not trusted. */
  readonly instructions?: string
}

/** The digests that a deployment trusts, sorted. It contains no time and no absolute path. */
export interface Lock {
  readonly format: typeof LOCK_FORMAT
  /** The hash of the catalog made of these files, as in the manifest of the same folder. */
  readonly version: ContentHash
  readonly skills: readonly LockedSkill[]
  readonly files: readonly LockedFile[]
  /** Skills that were copied from elsewhere, sorted by folder; absent without any. */
  readonly added?: readonly AddedSkill[]
  /** The tools of servers, sorted by name; absent without any. */
  readonly servers?: readonly LockedServer[]
}

const digest = z.custom<ContentHash>(
  (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/u.test(value),
  'must be sha256: and 64 digits',
)

const size = z.int().nonnegative()

const lockedFile = z.object({ path: z.string(), digest, size })

const addedSkill = z.object({
  name: z.string(),
  folder: z.string().refine(isSkillFilePath, 'must be a path in the project'),
  origin: z.string(),
  path: z.string(),
  ref: z.string().exactOptional(),
  commit: z.string().exactOptional(),
  license: z.string().nullable(),
  signer: z.string().exactOptional(),
  files: z.array(lockedFile),
})

const lockedServer = z.object({
  name: z.string(),
  hash: digest,
  // The definitions are checked when they are used.
  tools: z.array(z.custom<LockedServer['tools'][number]>(isObject, 'must be a tool')),
  instructions: z.string().exactOptional(),
})

const lock = z.object({
  format: z.literal(LOCK_FORMAT),
  version: digest,
  skills: z.array(
    z.object({
      uri: z.string(),
      resources: z.array(z.object({ uri: z.string(), digest, size })),
    }),
  ),
  files: z.array(lockedFile),
  added: z.array(addedSkill).exactOptional(),
  servers: z.array(lockedServer).exactOptional(),
})

/** Checks that parsed JSON is a lock. Throws `LOCK_INVALID`, which names the place of the problem. */
export function readLock(parsed: unknown): Lock {
  const result = lock.safeParse(parsed)
  if (result.success) {
    refuseDuplicates(result.data)
    return result.data
  }
  const [issue] = result.error.issues
  const place = issue?.path.join('.') ?? ''
  const where = place === '' ? '' : `, at "${place}"`
  throw new WorkspaceError('LOCK_INVALID', `This is not a lock${where}: ${issue?.message}.`, {
    facts: { place },
    hint: 'Write it again: loadout lock.',
  })
}

/** Throws if a file has two digests: the last one would win and hide the other. */
function refuseDuplicates({ skills, files }: Lock): void {
  const seen = new Set<string>()
  const uris = skills.flatMap(({ resources }) => resources.map(({ uri }) => uri))
  for (const file of [...uris, ...files.map(({ path }) => path)]) {
    if (seen.has(file)) {
      throw new WorkspaceError('LOCK_INVALID', `The lock names "${file}" twice.`, {
        facts: { place: file },
        hint: 'Write it again: loadout lock.',
      })
    }
    seen.add(file)
  }
}

/** Writes a lock as the text of a file: keys in order, one per line, with a line break at the end. */
export function lockText({
  format,
  version,
  skills,
  files,
  added = [],
  servers = [],
}: Lock): string {
  const lock = {
    format,
    version,
    skills: skills.map(({ uri, resources }) => ({
      uri,
      resources: resources.map(({ uri: file, digest, size }) => ({ uri: file, digest, size })),
    })),
    files: files.map(({ path, digest, size }) => ({ path, digest, size })),
    ...(added.length > 0 && { added: added.map(addedText) }),
    ...(servers.length > 0 && { servers: servers.map(serverText) }),
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

function addedText(added: AddedSkill) {
  const { name, folder, origin, path, ref, commit, license, signer, files } = added
  return {
    name,
    folder,
    origin,
    path,
    ...(ref !== undefined && { ref }),
    ...(commit !== undefined && { commit }),
    license,
    ...(signer !== undefined && { signer }),
    files: files.map((file) => ({ path: file.path, digest: file.digest, size: file.size })),
  }
}

function serverText({ name, hash, tools, instructions }: LockedServer) {
  const stored = tools.map((tool) => {
    const { nameOnServer, hash: ofTool } = tool
    return { ...toolDefinition(tool), nameOnServer, hash: ofTool }
  })
  return { name, hash, tools: stored, ...(instructions !== undefined && { instructions }) }
}

/** Returns the stored tools of a server as it would list them. Throws `LOCK_INVALID` for a tool that was changed. */
export function listingOf({ name, tools, instructions }: LockedServer): ServerListing {
  const read = tools.map((stored) => {
    const tool = bindTool(toolDefinition(stored))
    const { nameOnServer } = stored
    if (tool.hash === stored.hash) {
      return nameOnServer === undefined ? tool : Object.freeze({ ...tool, nameOnServer })
    }
    throw new WorkspaceError(
      'LOCK_INVALID',
      `The tool "${stored.name}" of the server "${name}" is not the one that was locked.`,
      { facts: { server: name, tool: stored.name }, hint: 'Lock again: loadout lock --servers.' },
    )
  })
  return { tools: read, leftOut: [], ...(instructions !== undefined && { instructions }) }
}

/**
 * Returns a lock in which added skills have their current files. Files of others keep their entries, so that
 * a change of them is still found; without a lock, the lock has all current files.
 */
export function lockAdded(before: Lock | null, now: Lock, added: readonly AddedSkill[]): Lock {
  const folders = new Set(added.map(({ folder }) => folder))
  const uris = new Set([...folders].map((folder) => skillUri(folder)))
  const isAdded = ({ uri }: LockedSkill) => uris.has(uri.slice(0, uri.lastIndexOf('/')))
  const kept = before?.skills.filter((skill) => !isAdded(skill)) ?? now.skills
  const skills = before === null ? kept : [...kept, ...now.skills.filter(isAdded)]
  const records = [...(before?.added ?? []).filter(({ folder }) => !folders.has(folder)), ...added]
  return {
    ...now,
    skills: [...skills].sort((a, b) => byName(a.uri, b.uri)),
    files: before?.files ?? now.files,
    added: records.sort((a, b) => byName(a.folder, b.folder)),
  }
}

interface LockedBytes {
  readonly digest: ContentHash
  readonly size: number
}

/** A file that differs from its lock. */
export interface FileDrift {
  /** A `skill://` URI or a path. */
  readonly file: string
  readonly what: 'added' | 'removed' | 'changed'
  readonly before: LockedBytes | null
  readonly after: LockedBytes | null
}

/** Compares files with their lock, in order of names. Empty if every byte is the same. */
export function lockDrift(before: Lock, after: Lock): readonly FileDrift[] {
  const [old, now] = [filesByName(before), filesByName(after)]
  return [...new Set([...old.keys(), ...now.keys()])].sort(byName).flatMap((file): FileDrift[] => {
    const [was, is] = [old.get(file) ?? null, now.get(file) ?? null]
    if (was?.digest === is?.digest && was?.size === is?.size) return []
    const what = was === null ? 'added' : is === null ? 'removed' : 'changed'
    return [{ file, what, before: was, after: is }]
  })
}

/** Returns the paths of files that are added, removed or changed since they were recorded, sorted. */
export function changedSince(
  before: readonly LockedFile[],
  now: ReadonlyMap<string, ContentHash>,
): readonly string[] {
  const known = new Map(before.map(({ path, digest }) => [path, digest]))
  const paths = new Set([...known.keys(), ...now.keys()])
  return [...paths].filter((path) => known.get(path) !== now.get(path)).sort()
}

function filesByName({ skills, files }: Lock): ReadonlyMap<string, LockedBytes> {
  return new Map([
    ...skills.flatMap(({ resources }) =>
      resources.map(({ uri, digest, size }) => [uri, { digest, size }] as const),
    ),
    ...files.map(({ path, digest, size }) => [path, { digest, size }] as const),
  ])
}

/** Returns the URI of a file of a skill. `path` is separated by `/`; each segment is escaped. */
export function skillUri(path: string): string {
  return `skill://${path.split('/').map(encodeURIComponent).join('/')}`
}
