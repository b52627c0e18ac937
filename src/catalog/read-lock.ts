import { z } from 'zod'
import type { ContentHash } from '../kernel/content-hash.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { type Lock, LOCK_FORMAT } from './lock.ts'

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
