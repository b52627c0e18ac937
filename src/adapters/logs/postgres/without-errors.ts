import type pg from 'pg'

/** Logs that use a pool; one listener is there for all of them. */
const users = new WeakMap<pg.Pool, number>()

function ignore(): void {}

/**
 * Connections that idle are lost, too, and their pool tells of it: the next one is another. Gives back
 * what ends it.
 */
export function withoutErrors(pool: pg.Pool): () => void {
  const count = users.get(pool) ?? 0
  if (count === 0) pool.on('error', ignore)
  users.set(pool, count + 1)
  return () => {
    const left = (users.get(pool) ?? 1) - 1
    users.set(pool, left)
    if (left === 0) pool.off('error', ignore)
  }
}
