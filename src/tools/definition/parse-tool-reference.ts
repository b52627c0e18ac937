import rcompare from 'semver/functions/rcompare.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import * as z from 'zod'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from './tool.ts'

/**
 * The name of a tool or toolset: 1 to 128 letters, digits, `_`, `-` and `.`, but not `.` or `..`, because
 * folders have these names. `/` separates an owner from a name, and `@` a name from a version.
 */
export const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/u, 'must be 1 to 128 letters, digits, "_", "-" or "."')
  .refine((name) => name !== '.' && name !== '..', 'must not be "." or ".."')

/** A shared tool by name, with a range of versions. */
export interface ToolReference {
  readonly name: string
  /** A range in the form of npm; `*` for any version. */
  readonly range: string
}

/** Characters of a range. Useful ranges are much shorter. */
const RANGE_LIMIT = 128

/** Parses `search` or `search@^1`. Throws `TOOL_REFERENCE_INVALID`. */
export function parseToolReference(text: string): ToolReference {
  const at = text.indexOf('@')
  const name = at === -1 ? text : text.slice(0, at)
  const range = at === -1 ? '*' : text.slice(at + 1).trim()
  const known = range.length > 0 && range.length <= RANGE_LIMIT && validRange(range) !== null
  if (known && toolName.safeParse(name).success) return { name, range }
  throw new WorkspaceError('TOOL_REFERENCE_INVALID', `"${text}" does not name a tool.`, {
    facts: { reference: text },
    hint: 'Write a name, or a name and a range of versions: search, search@^1, search@2.1.0.',
  })
}

/** Parses a reference and returns the error instead of throwing it, for text from files. */
export function tryParseToolReference(text: string): ToolReference | WorkspaceError {
  try {
    return parseToolReference(text)
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'TOOL_REFERENCE_INVALID') return error
    throw error
  }
}

/**
 * Picks the highest version of a tool that matches a reference; the first of equal versions. A pre-release
 * is picked only if the range names one, or if `*` matches no other version.
 */
export function pickVersion(reference: ToolReference, tools: readonly Tool[]): Tool | undefined {
  const named = tools
    .filter(({ name }) => name === reference.name)
    .sort((a, b) => rcompare(a.version, b.version))
  const stable = named.find(({ version }) => satisfies(version, reference.range))
  return stable ?? (reference.range === '*' ? named[0] : undefined)
}
