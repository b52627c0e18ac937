import type { DatabaseSync } from 'node:sqlite'
import { notFound } from './not-found.ts'
import { allRows, firstRow } from './query.ts'

/** One thing of a collection, such as a question of the FAQ. */
export interface Entry {
  readonly id: number
  readonly collection: string
  readonly title: string
  readonly content: string
}

export function listEntries(database: DatabaseSync): readonly Entry[] {
  return allRows(database, 'SELECT * FROM entries ORDER BY id')
}

/** Throws `NOT_FOUND`, with the collections there are. */
export function entriesOf(database: DatabaseSync, collection: string): readonly Entry[] {
  const sql = 'SELECT slug FROM collections ORDER BY slug'
  const known = allRows<{ readonly slug: string }>(database, sql).map(({ slug }) => slug)
  if (!known.includes(collection)) throw notFound('collection', collection, known)
  return listEntries(database).filter((entry) => entry.collection === collection)
}

/** Throws `NOT_FOUND`, with the ids there are. */
export function getEntry(database: DatabaseSync, id: number): Entry {
  const entry = firstRow<Entry>(database, 'SELECT * FROM entries WHERE id = ?', id)
  if (entry === undefined) {
    const known = listEntries(database).map((one) => one.id)
    throw notFound('entry', id, known)
  }
  return entry
}
