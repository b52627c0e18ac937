import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { checkSpecification } from '../../skills/parse/check-specification.ts'
import { assignFindings } from './assign-findings.ts'
import { checkClients } from './checks/check-clients.ts'
import { withFilesOfNames } from './with-files-of-names.ts'
import { levelOf } from './level-of.ts'
import type { LintInput } from './checks/lint-input.ts'
import type { LintedItem, LintItem } from './checks/lint-item.ts'
import { includesLevel, type LintLevel } from './codes/lint-level.ts'
import { lintSkill } from './checks/lint-skill.ts'
import { nativeFindings } from './checks/native-findings.ts'
import { withoutRepeats } from './without-repeats.ts'

/** What lint answers. */
export interface LintReport {
  /** No item is an error. */
  readonly ok: boolean
  /** Definitions that were looked at. */
  readonly checked: number
  readonly level: LintLevel
  readonly items: readonly LintedItem[]
  /** What was not looked at as a whole, because there is too much of it, as sentences. */
  readonly limits: readonly string[]
}

/**
 * Judge everything that was read, at one level.
 *
 * At `spec` an error is what the specification's reference validator refuses, or what could not be
 * read for it. Above, reading is lenient: an error is what was not loaded, and what the validator
 * refuses is a warning. The specification and clients know skills only, so below `native` nothing
 * else is looked at.
 */
export function lintCatalog(input: LintInput): LintReport {
  const { level, items, root, native } = input
  const findings = [
    ...withFilesOfNames(input.diagnostics, items),
    ...specificationFindings(input),
    ...(level === 'spec' ? [] : input.skills.map(lintSkill).flatMap(checkClients)),
    ...(native === null ? [] : nativeFindings(input, native)),
  ].filter(({ code }) => isTold(code, level))
  const linted = assignFindings(items, withoutRepeats(findings), root).filter((item) =>
    isLookedAt(item, level),
  )
  return {
    ok: linted.every(({ status }) => status !== 'error'),
    checked: linted.filter(({ kind }) => kind !== 'folder').length,
    level,
    items: linted,
    limits: native?.limits ?? [],
  }
}

function specificationFindings({ skills, level }: LintInput): readonly Diagnostic[] {
  const found = skills.flatMap(({ text, file, folder }) =>
    text === null ? [] : checkSpecification({ text, file, folder }),
  )
  if (level === 'spec') return found
  return found.map((one) => ({ ...one, severity: 'warning' }))
}

function isTold(code: string, level: LintLevel): boolean {
  const from = levelOf(code)
  return from !== null && includesLevel(level, from)
}

/** A skill of a manifest has no file that the specification or a client could read. */
function isLookedAt({ kind, path }: LintItem, level: LintLevel): boolean {
  if (level === 'native' || kind === 'folder') return true
  return kind === 'skill' && /[\\/]skill\.md$/i.test(path)
}
