import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from 'loadout'
import { checkImageField } from './check-content.ts'
import { notFound } from './not-found.ts'
import { allRows, firstRow } from './query.ts'
import { getSection } from './sections.ts'
import { getTemplate } from './templates.ts'

/** A picture of the site; its bytes stay in the database. */
export interface Image {
  readonly id: number
  readonly filename: string
  readonly path: string
  readonly alt: string
  /** Who took it, where that has to be told. */
  readonly credit: string | null
}

const COLUMNS = "id, filename, '/uploads/images/' || filename AS path, alt, credit"

export function listImages(database: DatabaseSync): readonly Image[] {
  return allRows(database, `SELECT ${COLUMNS} FROM images ORDER BY id`)
}

/** Throws `NOT_FOUND`, with the ids there are. */
export function getImage(database: DatabaseSync, id: number): Image {
  const image = firstRow<Image>(database, `SELECT ${COLUMNS} FROM images WHERE id = ?`, id)
  if (image === undefined) {
    const known = listImages(database).map((one) => one.id)
    throw notFound('image', id, known)
  }
  return image
}

/** A photograph that is there already is not stored twice. */
export function addImage(
  database: DatabaseSync,
  { filename, alt, credit, bytes }: Omit<Image, 'id' | 'path'> & { readonly bytes: Uint8Array },
): Image {
  database
    .prepare('INSERT OR IGNORE INTO images (filename, alt, credit, bytes) VALUES (?, ?, ?, ?)')
    .run(filename, alt, credit, bytes)
  const sql = `SELECT ${COLUMNS} FROM images WHERE filename = ?`
  const image = firstRow<Image>(database, sql, filename)
  if (image === undefined) throw notFound('image', filename, [])
  return image
}

/** Put an image into a field of a section, in place of the one that is there. */
export function setSectionImage(
  database: DatabaseSync,
  { section, field, image }: { section: number; field: string; image: number },
): void {
  checkImageField(getTemplate(database, getSection(database, section).template), field)
  getImage(database, image)
  database
    .prepare('INSERT OR REPLACE INTO section_images VALUES (?, ?, ?)')
    .run(section, field, image)
}

/** The ids of the sections that show an image. */
function usesOf(database: DatabaseSync, image: number): readonly number[] {
  const sql = 'SELECT section FROM section_images WHERE image = ? ORDER BY section'
  return allRows<{ readonly section: number }>(database, sql, image).map(({ section }) => section)
}

/** Show another image wherever this one is shown; returns the sections that changed. */
export function replaceImage(database: DatabaseSync, old: number, by: number): readonly number[] {
  getImage(database, old)
  getImage(database, by)
  const sections = usesOf(database, old)
  database.prepare('UPDATE section_images SET image = ? WHERE image = ?').run(by, old)
  return sections
}

/** Throws `CONFLICT` for an image that is shown somewhere: a page must not lose its picture. */
export function removeImage(database: DatabaseSync, id: number): Image {
  const image = getImage(database, id)
  const sections = usesOf(database, id)
  if (sections.length > 0) {
    const message = `Image ${id} is shown in the sections ${sections.join(', ')}. Replace it there first.`
    throw new ToolError('CONFLICT', message, { details: { sections } })
  }
  database.prepare('DELETE FROM images WHERE id = ?').run(id)
  return image
}
