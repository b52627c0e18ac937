import { isObject, tryOrUndefined, usableToolName } from '../../../entries/kit.ts'

// A transcript is data of another program: any member may be absent or of another kind.

/** Returns a text, and '' for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a number that counts something, and 0 for anything else. */
export function number(value: unknown): number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : 0
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function object(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

export function memberIn(value: unknown, name: string): unknown {
  return object(value)[name]
}

/** Returns the texts of a message, which is a text or a list of parts. */
export function textInContent(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => text(memberIn(part, 'text')))
    .filter((one) => one !== '')
    .join('\n\n')
}

/** Returns a time in milliseconds since 1970: a number, or a date as text; else that of the entry before. */
export function readTime(value: unknown, before = 0): number {
  const time = typeof value === 'number' ? value : Date.parse(text(value))
  return Number.isFinite(time) ? time : before
}

/** Returns the name of a tool, in a form that a tool can have here; '' when nothing of it is left. */
export function toolNameIn(value: unknown): string {
  return usableToolName(text(value)) ?? ''
}

/** Levels of data. No client writes deeper data, and it would overflow the stack of what reads it. */
const DEEPEST = 500

/** Parses JSON. Returns undefined for another text, and for data that is too deep. */
export function jsonIn(said: string): unknown {
  const value = tryOrUndefined(() => JSON.parse(said) as unknown)
  return isDeeper(value, DEEPEST) ? undefined : value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
