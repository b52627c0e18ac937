import { basename, dirname } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'

/** A SKILL.md that could not be loaded. */
export interface BrokenSkill {
  /** Name of its folder, since its own name could not be read. */
  readonly name: string
  readonly path: string
  readonly errors: readonly Diagnostic[]
}

/**
 * Returns the skills that have errors and could not be loaded, in the order of the findings.
 *
 * @param loaded paths of the loaded skills, whose errors do not make them broken
 */
export function brokenSkills(
  diagnostics: readonly Diagnostic[],
  loaded: ReadonlySet<string | null | undefined>,
): readonly BrokenSkill[] {
  const errors = new Map<string, Diagnostic[]>()
  for (const one of diagnostics) {
    const { severity, file } = one
    if (severity !== 'error' || file === undefined || loaded.has(file)) continue
    if (!/^skill\.md$/i.test(basename(file))) continue
    errors.set(file, [...(errors.get(file) ?? []), one])
  }
  return [...errors].map(([path, found]) => ({
    name: basename(dirname(path)),
    path,
    errors: found,
  }))
}
