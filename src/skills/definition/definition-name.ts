import { z } from 'zod'
import { findHidden, sanitiseText } from '../../kernel/sanitise-text.ts'
import { toolName } from '../../tools/definition/parse-tool-reference.ts'

const LETTERS_DIGITS_MARKS = /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * The name of a skill or agent: letters and digits of any script, `-`, `_` and `.`.
 *
 * Wider than the Agent Skills specification (lower-case ASCII and `-`), which only a linter
 * holds people to. Names such as `constructor` are fine: nothing looks them up in an object. Letters and
 * marks that are drawn as nothing are not: a model is told a name as it is, and nobody would see them.
 */
export const definitionName = z
  .string('must be text')
  .regex(LETTERS_DIGITS_MARKS, 'must be 1 to 64 letters, digits, "-", "_" or "."')
  .regex(LETTER_OR_DIGIT, 'must hold a letter or a digit')
  .refine((name) => findHidden(name).length === 0, 'must not hold a character that nobody sees')

/** The name people read when a definition gives none: `my-skill` becomes `My Skill`. */
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
 * True for a name the Agent Skills specification allows: 1 to 64 lower-case letters, digits and
 * single hyphens, none at either end.
 */
export function isPortableName(name: string): boolean {
  const composed = name.normalize('NFKC')
  return (
    [...composed].length <= 64 &&
    composed === composed.toLowerCase() &&
    /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(composed)
  )
}

/** True for a name a skill can go by here. */
export function isUsableName(name: string): boolean {
  return definitionName.safeParse(name).success
}

/**
 * The name itself when a skill can go by it, else one made of it: spaces, other marks and what
 * nobody sees become hyphens. Undefined when nothing is left.
 */
export function usableName(name: string): string | undefined {
  const composed = name.normalize('NFKC')
  if (isUsableName(composed)) return composed
  const seen = sanitiseText(composed).replaceAll(/<U\+[0-9A-F]+>/gu, '-')
  const made = seen.replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-').slice(0, 64)
  const parts = made.split('-').filter((part) => part !== '')
  const usable = parts.join('-')
  return isUsableName(usable) ? usable : undefined
}

/**
 * The name itself when a tool or toolset can go by it, else one made of it: what is no letter,
 * digit, `_`, `-` or `.` becomes a hyphen. Undefined when nothing is left.
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
