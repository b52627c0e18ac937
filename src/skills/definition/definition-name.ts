import * as z from 'zod'
import { findHidden, sanitiseText } from '../../kernel/sanitise-text.ts'
import { toolName } from '../../tools/definition/parse-tool-reference.ts'

const LETTERS_DIGITS_MARKS = /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * The name of a skill or agent: letters and digits of any script, `-`, `_` and `.`.
 *
 * More names are allowed than in the Agent Skills specification (lower-case ASCII and `-`), which only
 * lint checks. Names such as `constructor` are allowed, because names are never read from an object.
 * Letters and marks that are drawn as nothing are not allowed: the model would read them unchanged, and
 * people would not see them.
 */
export const definitionName = z
  .string('must be text')
  .regex(LETTERS_DIGITS_MARKS, 'must be 1 to 64 letters, digits, "-", "_" or "."')
  .regex(LETTER_OR_DIGIT, 'must contain a letter or a digit')
  .refine((name) => findHidden(name).length === 0, 'must not contain a hidden character')

/** Returns the default display name: `my-skill` becomes `My Skill`. */
export function displayNameOf(name: string): string {
  return name
    .split(/[-_.]/)
    .filter((word) => word !== '')
    .map((word) => {
      const [first = ''] = word
      return first.toUpperCase() + word.slice(first.length)
    })
    .join(' ')
}

/**
 * Returns true for a name that the Agent Skills specification allows: 1 to 64 lower-case letters, digits
 * and single hyphens, with no hyphen at either end.
 */
export function isPortableName(name: string): boolean {
  const composed = name.normalize('NFKC')
  return (
    [...composed].length <= 64 &&
    composed === composed.toLowerCase() &&
    /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(composed)
  )
}

/** Returns true for a name that a skill can have here. */
export function isUsableName(name: string): boolean {
  return definitionName.safeParse(name).success
}

/**
 * Returns a name that a skill can have: the given one if possible, or else a form of it in which spaces,
 * hidden characters and other signs become hyphens, and no part begins with a dot. Undefined if nothing is
 * left.
 */
export function usableName(name: string): string | undefined {
  const composed = name.normalize('NFKC')
  if (isUsableName(composed)) return composed
  const visible = sanitiseText(composed).replaceAll(/<U\+[0-9A-F]+>/gu, '-')
  const made = visible.replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-').slice(0, 64)
  const parts = made.split('-').map((part) => part.replace(/^\.+/, ''))
  const usable = parts.filter((part) => part !== '').join('-')
  return isUsableName(usable) ? usable : undefined
}

/**
 * Returns a name that a tool or toolset can have: the given one if possible, or else a form of it in which
 * everything but letters, digits, `_`, `-` and `.` becomes a hyphen. Undefined if nothing is left.
 */
export function usableToolName(name: string): string | undefined {
  if (toolName.safeParse(name).success) return name
  const parts = name
    .normalize('NFKC')
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((part) => part !== '')
  const made = parts.join('-').slice(0, 128)
  return toolName.safeParse(made).success ? made : undefined
}
