import { ToolError } from 'loadout'
import type { Field, Template } from './templates.ts'

/** What a section shows as text, by field. */
export type Content = Readonly<Record<string, string>>

/**
 * Hold content to the fields of its template: only text fields, and, for a whole one, all of those
 * that are required. Throws `VALIDATION` that names the fields there are.
 */
export function checkContent(
  { key, fields }: Template,
  content: Content,
  { isWhole }: { readonly isWhole: boolean },
): void {
  const texts = fields.filter(({ kind }) => kind === 'text')
  const unknown = Object.keys(content).find((name) => !texts.some((field) => field.name === name))
  if (unknown !== undefined) throw wrong(`has no text field "${unknown}"`, key, texts)
  const missing = texts.find(({ name, required }) => required && !Object.hasOwn(content, name))
  if (isWhole && missing) throw wrong(`needs the field "${missing.name}"`, key, texts)
}

/** Throws `VALIDATION` for what is no image field of the template. */
export function checkImageField({ key, fields }: Template, field: string): void {
  const images = fields.filter(({ kind }) => kind === 'image')
  if (images.some(({ name }) => name === field)) return
  throw wrong(`has no image field "${field}"`, key, images)
}

function wrong(what: string, template: string, fields: readonly Field[]): ToolError {
  const names = fields.map(({ name, required }) => (required ? name : `${name} (optional)`))
  const list = names.length === 0 ? 'It has none of that kind' : `It has: ${names.join(', ')}`
  return new ToolError('VALIDATION', `The template "${template}" ${what}. ${list}.`, {
    details: { template, fields: names },
  })
}
