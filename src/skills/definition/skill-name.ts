import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { definitionName } from './definition-name.ts'

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
