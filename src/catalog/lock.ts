import { z } from 'zod'
import type { ContentHash } from '../kernel/content-hash.ts'
import { byName } from '../kernel/nearest-names.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'

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

/** The digests that a deployment trusts, sorted. It contains no time and no absolute path. */
export interface Lock {
  readonly format: typeof LOCK_FORMAT
  /** The hash of the catalog made of these files, as in the manifest of the same folder. */
  readonly version: ContentHash
  readonly skills: readonly LockedSkill[]
  readonly files: readonly LockedFile[]
}

const digest = z.custom<ContentHash>(
  (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/u.test(value),
  'must be sha256: and 64 digits',
)

const size = z.int().nonnegative()

const lock = z.object({
  format: z.literal(LOCK_FORMAT),
  version: digest,
  skills: z.array(
    z.object({
      uri: z.string(),
      resources: z.array(z.object({ uri: z.string(), digest, size })),
    }),
  ),
  files: z.array(z.object({ path: z.string(), digest, size })),
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
export function lockText({ format, version, skills, files }: Lock): string {
  const lock = {
    format,
    version,
    skills: skills.map(({ uri, resources }) => ({
      uri,
      resources: resources.map(({ uri: file, digest, size }) => ({ uri: file, digest, size })),
    })),
    files: files.map(({ path, digest, size }) => ({ path, digest, size })),
  }
  return `${JSON.stringify(lock, null, 2)}\n`
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
  const [old, now] = [filesOf(before), filesOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].sort(byName).flatMap((file): FileDrift[] => {
    const [was, is] = [old.get(file) ?? null, now.get(file) ?? null]
    if (was?.digest === is?.digest && was?.size === is?.size) return []
    const what = was === null ? 'added' : is === null ? 'removed' : 'changed'
    return [{ file, what, before: was, after: is }]
  })
}

function filesOf({ skills, files }: Lock): ReadonlyMap<string, LockedBytes> {
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
