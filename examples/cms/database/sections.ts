import type { DatabaseSync } from 'node:sqlite'
import { checkContent, type Content } from './check-content.ts'
import { notFound } from './not-found.ts'
import { getPage } from './pages.ts'
import { allRows } from './query.ts'
import { getTemplate } from './templates.ts'

/** A part of a page: what it shows as text, and its images by field. */
export interface Section {
  readonly id: number
  /** What people call it, such as `hero of about`. */
  readonly name: string
  readonly page: string
  readonly template: string
  readonly position: number
  readonly content: Content
  readonly images: Readonly<Record<string, number>>
}

/** In the order they stand on the page. */
export function sectionsOf(database: DatabaseSync, page: string): readonly Section[] {
  getPage(database, page)
  return allSections(database).filter((section) => section.page === page)
}

export function allSections(database: DatabaseSync): readonly Section[] {
  const rows = allRows<Omit<Section, 'content'> & { readonly content: string }>(
    database,
    `SELECT sections.id, template || ' of ' || slug AS name, slug AS page, template, position, content
     FROM sections JOIN pages ON pages.id = sections.page ORDER BY pages.id, position`,
  )
  const used = allRows<{
    readonly section: number
    readonly field: string
    readonly image: number
  }>(database, 'SELECT * FROM section_images ORDER BY section, field')
  return rows.map((row) => {
    const images = used.filter(({ section }) => section === row.id)
    return {
      ...row,
      content: JSON.parse(row.content) as Content,
      images: Object.fromEntries(images.map(({ field, image }) => [field, image])),
    }
  })
}

/** Throws `NOT_FOUND`, with the ids there are. */
export function getSection(database: DatabaseSync, id: number): Section {
  const sections = allSections(database)
  const section = sections.find((one) => one.id === id)
  const known = sections.map((one) => one.id)
  if (section === undefined) throw notFound('section', id, known)
  return section
}

/** At the end of its page. */
export function addSection(
  database: DatabaseSync,
  { page, template, content }: Pick<Section, 'page' | 'template' | 'content'>,
): Section {
  checkContent(getTemplate(database, template), content, { isWhole: true })
  const { id } = getPage(database, page)
  const position = (sectionsOf(database, page).at(-1)?.position ?? 0) + 1
  const { lastInsertRowid } = database
    .prepare('INSERT INTO sections (page, template, position, content) VALUES (?, ?, ?, ?)')
    .run(id, template, position, JSON.stringify(content))
  return getSection(database, Number(lastInsertRowid))
}

/** Fields that are not given stay. */
export function changeSection(database: DatabaseSync, id: number, content: Content): Section {
  const before = getSection(database, id)
  checkContent(getTemplate(database, before.template), content, { isWhole: false })
  database
    .prepare('UPDATE sections SET content = ? WHERE id = ?')
    .run(JSON.stringify({ ...before.content, ...content }), id)
  return getSection(database, id)
}

export function removeSection(database: DatabaseSync, id: number): Section {
  const section = getSection(database, id)
  database.prepare('DELETE FROM sections WHERE id = ?').run(id)
  return section
}
