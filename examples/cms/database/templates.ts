import type { DatabaseSync } from 'node:sqlite'
import { notFound } from './not-found.ts'
import { allRows } from './query.ts'

/** One thing a section of this kind shows: a text that is stored with it, or an image. */
export interface Field {
  readonly name: string
  readonly kind: 'text' | 'image'
  readonly required: boolean
}

/** A kind of section. */
export interface Template {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly fields: readonly Field[]
}

export function listTemplates(database: DatabaseSync): readonly Template[] {
  const rows = allRows<Template & { readonly fields: string }>(
    database,
    'SELECT * FROM section_templates ORDER BY key',
  )
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as readonly Field[] }))
}

/** Throws `NOT_FOUND`, with the keys there are. */
export function getTemplate(database: DatabaseSync, key: string): Template {
  const templates = listTemplates(database)
  const template = templates.find((one) => one.key === key)
  const known = templates.map((one) => one.key)
  if (template === undefined) throw notFound('section template', key, known)
  return template
}

export function addTemplate(database: DatabaseSync, { fields, ...rest }: Template): void {
  const { key, name, description } = rest
  database
    .prepare('INSERT INTO section_templates VALUES (?, ?, ?, ?)')
    .run(key, name, description, JSON.stringify(fields))
}
