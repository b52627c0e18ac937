import { DIAGNOSTIC_GROUPS } from './diagnostic-groups.ts'
import type { LintLevel } from './codes/lint-level.ts'

const LEVELS: ReadonlyMap<string, LintLevel | null> = new Map(
  DIAGNOSTIC_GROUPS.flatMap(({ level, codes }) =>
    Object.keys(codes).map((code) => [code, level] as const),
  ),
)

/**
 * The level from which a code is told; null for one that lint leaves out. A code of somebody
 * else's, such as that of a skill made in code, is told at the last level.
 */
export function levelOf(code: string): LintLevel | null {
  const level = LEVELS.get(code)
  return level === undefined ? 'native' : level
}
