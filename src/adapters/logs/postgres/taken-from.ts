import type pg from 'pg'

/**
 * A connection of a pool, with a listener for its errors from the first moment on: one that is ended by
 * the server in the same breath in which it was made would end the process otherwise.
 */
export function takenFrom(pool: pg.Pool, onError: (error: Error) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return void reject(error ?? new Error('Connection terminated'))
      client.on('error', onError)
      resolve(client)
    })
  })
}
