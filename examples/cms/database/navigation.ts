import type { DatabaseSync } from 'node:sqlite'
import { given } from './given.ts'
import { notFound } from './not-found.ts'
import { allRows } from './query.ts'

/** One link of the site's menu. */
export interface NavigationItem {
  readonly id: number
  readonly label: string
  readonly href: string
  readonly visible: boolean
}

/** In the order they are shown. */
export function listNavigation(database: DatabaseSync): readonly NavigationItem[] {
  const rows = allRows<NavigationItem>(
    database,
    'SELECT id, label, href, visible FROM navigation_items ORDER BY position, id',
  )
  return rows.map((row) => ({ ...row, visible: Boolean(row.visible) }))
}

/** Throws `NOT_FOUND`, with the ids there are. */
export function getNavigationItem(database: DatabaseSync, id: number): NavigationItem {
  const items = listNavigation(database)
  const item = items.find((one) => one.id === id)
  const known = items.map((one) => one.id)
  if (item === undefined) throw notFound('navigation item', id, known)
  return item
}

/** At the end of the menu. */
export function addNavigationItem(
  database: DatabaseSync,
  { label, href }: Pick<NavigationItem, 'label' | 'href'>,
): NavigationItem {
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO navigation_items (label, href, position)
       VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM navigation_items))`,
    )
    .run(label, href)
  return getNavigationItem(database, Number(lastInsertRowid))
}

/** What is not given stays. */
export function changeNavigationItem(
  database: DatabaseSync,
  id: number,
  changes: { readonly [Key in 'label' | 'href' | 'visible']?: NavigationItem[Key] | undefined },
): NavigationItem {
  const item = { ...getNavigationItem(database, id), ...given(changes) }
  database
    .prepare('UPDATE navigation_items SET label = ?, href = ?, visible = ? WHERE id = ?')
    .run(item.label, item.href, Number(item.visible), id)
  return getNavigationItem(database, id)
}

export function removeNavigationItem(database: DatabaseSync, id: number): NavigationItem {
  const item = getNavigationItem(database, id)
  database.prepare('DELETE FROM navigation_items WHERE id = ?').run(id)
  return item
}
