import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from 'loadout'
import { given } from './given.ts'
import { notFound } from './not-found.ts'
import { allRows, firstRow } from './query.ts'
import { slugOf } from './slug-of.ts'

/** One page of the site; what it shows are its sections. */
export interface Page {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly description: string
}

export function listPages(database: DatabaseSync): readonly Page[] {
  return allRows(database, 'SELECT * FROM pages ORDER BY id')
}

/** Throws `NOT_FOUND`, with the slugs there are. */
export function getPage(database: DatabaseSync, slug: string): Page {
  const page = firstRow<Page>(database, 'SELECT * FROM pages WHERE slug = ?', slug)
  if (page === undefined) throw notFound('page', slug, slugsOf(database))
  return page
}

/** The slug follows from the title unless one is given. Throws `CONFLICT` for a slug that is taken. */
export function addPage(
  database: DatabaseSync,
  { title, slug = slugOf(title), description = '' }: NewPage,
): Page {
  if (slugsOf(database).includes(slug)) {
    throw new ToolError('CONFLICT', `A page is at "${slug}" already. Choose another slug.`)
  }
  database
    .prepare('INSERT INTO pages (slug, title, description) VALUES (?, ?, ?)')
    .run(slug, title, description)
  return getPage(database, slug)
}

/** What is not given stays. */
export function changePage(
  database: DatabaseSync,
  slug: string,
  changes: { readonly title?: string | undefined; readonly description?: string | undefined },
): Page {
  const { id, title, description } = { ...getPage(database, slug), ...given(changes) }
  database
    .prepare('UPDATE pages SET title = ?, description = ? WHERE id = ?')
    .run(title, description, id)
  return getPage(database, slug)
}

/** Takes the page's sections with it. */
export function removePage(database: DatabaseSync, slug: string): Page {
  const page = getPage(database, slug)
  database.prepare('DELETE FROM pages WHERE id = ?').run(page.id)
  return page
}

interface NewPage {
  readonly title: string
  readonly slug?: string | undefined
  readonly description?: string | undefined
}

function slugsOf(database: DatabaseSync): readonly string[] {
  return listPages(database).map(({ slug }) => slug)
}
