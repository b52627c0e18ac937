import { z } from 'zod'
import { findHidden } from '../../kernel/find-hidden.ts'

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
