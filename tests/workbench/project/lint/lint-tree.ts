import { lintProject } from '../../../../src/workbench/project/lint/lint-project.ts'
import type { LintReport } from '../../../../src/catalog/lint/lint-catalog.ts'
import type { LintLevel } from '../../../../src/catalog/lint/codes/diagnostic-group.ts'
import { temporaryFolder, type Tree } from '../temporary-folder.ts'

/** Lint a folder as it would be for a user who trusts nothing, or this folder. */
export async function lintFolder(
  folder: string,
  level: LintLevel = 'native',
  trusted = false,
): Promise<LintReport> {
  return lintProject([folder], { level, project: folder, home: null, trusted })
}

/** Lint files in a folder of their own. */
export async function lintTree(tree: Tree, level: LintLevel = 'native', trusted = false) {
  return lintFolder(await temporaryFolder(tree), level, trusted)
}

/** Codes of all findings, in their order. */
export function codesIn({ items }: LintReport): readonly string[] {
  return items.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
}
