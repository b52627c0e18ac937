import { textHash } from '../../../kernel/content-hash.ts'

/**
 * Where a schema's followers are told, and how appends know that there are any.
 *
 * Transactions that notify commit one after another, over the whole server. So an append tells only
 * where somebody may listen: followers hold a shared lock of their sessions' bucket, and an append that
 * gets the lock for itself knows that nobody does. A follower that comes meanwhile waits for the
 * lock until that append can be read.
 */
export interface Channel {
  readonly name: string
  /** First number of the advisory locks; the second is a bucket. */
  readonly lock: number
}

export function channelOf(schema: string): Channel {
  const digits = textHash(schema).slice('sha256:'.length)
  return { name: `loadout_${digits.slice(0, 16)}`, lock: Number.parseInt(digits.slice(16, 23), 16) }
}

/** One of 256, by the key of a session: a server has room for some thousands of locks. */
export function bucketOf(key: string): number {
  return Number.parseInt(key.slice(0, 2), 16)
}
