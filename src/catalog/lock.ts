import { z } from 'zod'
import type { ContentHash } from '../kernel/content-hash.ts'
import { byName } from '../kernel/nearest-names.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'

/** Raised when a lock of before would be misread. */
export const LOCK_FORMAT = 1

/**
 * A file as the Skills over MCP extension (`io.modelcontextprotocol/skills`) lists it in the
 * `resources` of a skill: digest and size are of the raw bytes.
 */
export interface LockedResource {
  readonly uri: string
  readonly digest: ContentHash
  readonly size: number
}

/** A skill with every file of its folder, `SKILL.md` among them, each once, by `uri`. */
export interface LockedSkill {
  /** `skill://<path>/SKILL.md`, the path from the folder that was locked. */
  readonly uri: string
  readonly resources: readonly LockedResource[]
}

/** A file of no skill: a shared tool, a toolset, an agent, rules, or the configuration. */
export interface LockedFile {
  /** From the folder that was locked, with `/`. */
  readonly path: string
  readonly digest: ContentHash
  readonly size: number
}

/** The digests that a deployment trusts, sorted; no clock and no absolute path is in it. */
export interface Lock {
  readonly format: typeof LOCK_FORMAT
  /** The hash of the catalog these files make, as in the manifest of the same folder. */
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

/** Take parsed JSON for a lock. Throws `LOCK_INVALID`, which names the place. */
export function readLock(parsed: unknown): Lock {
  const result = lock.safeParse(parsed)
  if (result.success) {
    refuseTwice(result.data)
    return result.data
  }
  const [issue] = result.error.issues
  const place = issue?.path.join('.') ?? ''
  const where = place === '' ? '' : `, at "${place}"`
  throw new WorkspaceError('LOCK_INVALID', `This is no lock${where}: ${issue?.message}.`, {
    facts: { place },
    hint: 'Write it again: loadout lock.',
  })
}

/** Of two digests for one file the last would count, and hide the other. */
function refuseTwice({ skills, files }: Lock): void {
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

/** A lock as a file: keys in order, a line for each of them, ending with a line break. */
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

/** One file that is not as it was locked. */
export interface FileDrift {
  /** A `skill://` address, or a path. */
  readonly file: string
  readonly what: 'added' | 'removed' | 'changed'
  readonly before: LockedBytes | null
  readonly after: LockedBytes | null
}

/** How files differ from what was locked, by name; empty when every byte is the same. */
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

/** The address of a file of a skill, by paths with `/`: each step of them is escaped on its own. */
export function skillUri(path: string): string {
  return `skill://${path.split('/').map(encodeURIComponent).join('/')}`
}
