import type { ContentHash } from '../kernel/content-hash.ts'
import { byName } from '../kernel/by-name.ts'
import type { Lock } from './lock.ts'

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
