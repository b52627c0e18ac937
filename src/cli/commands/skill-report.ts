import { dirname, sep } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { skillTokens } from '../../render/prompt/ledger/token-prices.ts'
import { type DiagnosticReport, diagnosticReport } from '../shell/diagnostic-report.ts'
import { brokenSkills } from '../../project/folders/broken-skills.ts'
import type { SkillStatus } from '../../engine/standing/status.ts'
import type { OpenSession } from '../opening/open-session.ts'

/** One element of `skills --json`. */
export interface SkillReport {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly path: string | null
  /** `broken` also for a SKILL.md that could not be loaded. */
  readonly status: SkillStatus
  readonly tools: readonly string[]
  /** What its instructions add to the prompt. */
  readonly tokens: number
  readonly diagnostics: readonly DiagnosticReport[]
}

/** Every skill of a session, shadowed ones too, then those that could not be loaded. */
export function skillReports({ project, workspace, counter }: OpenSession): readonly SkillReport[] {
  const { diagnostics } = project
  const listed = workspace.skills().map(({ name, skill, status }): SkillReport => {
    const brought = status === 'shadowed' ? skill?.tools : undefined
    const tools = brought?.map((tool) => (typeof tool === 'string' ? tool : tool.name))
    return {
      name,
      displayName: skill?.displayName ?? name,
      description: skill?.description ?? '',
      path: skill?.path ?? null,
      status,
      tools: tools ?? workspace.catalog.skillTools.get(name)?.map(({ tool }) => tool.name) ?? [],
      tokens: skill === undefined ? 0 : skillTokens(skill, counter),
      diagnostics: below(skill?.path, diagnostics),
    }
  })
  const loaded = new Set(listed.map(({ path }) => path))
  return [
    ...listed,
    ...brokenSkills(diagnostics, loaded).map(({ name, path }): SkillReport => ({
      name,
      displayName: name,
      description: '',
      path,
      status: 'broken',
      tools: [],
      tokens: 0,
      diagnostics: below(path, diagnostics),
    })),
  ]
}

/** The findings about a SKILL.md, and about the files of its folder. */
function below(
  path: string | undefined,
  diagnostics: readonly Diagnostic[],
): readonly DiagnosticReport[] {
  if (path === undefined) return []
  const folder = dirname(path) + sep
  return diagnostics
    .filter(({ file }) => file === path || file?.startsWith(folder))
    .map(diagnosticReport)
}
