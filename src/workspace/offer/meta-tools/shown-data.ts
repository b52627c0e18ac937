import { findHidden } from '../../../kernel/find-hidden.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'

/**
 * What a meta-tool answers, with every text and every name in it as a reader sees it: a model that
 * loads a skill reads it by this answer, and is to read no more than the person who looks on. A text
 * in which nothing is hidden stays as it is, line breaks and all.
 */
export function shownData<T>(data: T): T {
  return shown(data) as T
}

function shown(data: unknown): unknown {
  if (typeof data === 'string') return shownText(data)
  if (Array.isArray(data)) return data.map(shown)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, member]) => [shownText(name), shown(member)]),
  )
}

function shownText(text: string): string {
  return findHidden(text).length === 0 ? text : sanitiseText(text)
}
