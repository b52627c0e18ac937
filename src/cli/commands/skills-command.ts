import { dirname, sep } from 'node:path'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { openingOptions, type OpeningOptions } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import type { Paint } from '../shell/paint.ts'
import { type DiagnosticReport, diagnosticReport } from '../shell/report-diagnostics.ts'
import { writeTable } from '../shell/write-table.ts'
import type { SkillStatus } from '../../engine/standing/assess-skill.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { brokenSkills } from '../../project/folders/broken-skills.ts'

/** `loadout skills`: list all skills, including those that could not be loaded. */
export const skillsCommand: CliCommand<OpeningOptions> = {
  name: 'skills',
  summary: 'List skills with their status, tools and token count',
  description:
    'List all skills. TOKENS is the number of tokens that the skill adds to a request: its text, and the definitions of its tools. The last line is the price of the next request. A SKILL.md that could not be loaded is listed as broken. If two skills have the same name, the second is listed as shadowed.',
  arguments: '[paths...]',
  options: openingOptions,
  examples: ['loadout skills examples/workbench --json'],
  async run({ words, options, context }) {
    const session = await openSession(words, options, context)
    const skills = await skillReports(session)
    if (options.json) context.stdout.write(jsonText(skills))
    else {
      writeSkillTable(skills, context)
      const { writeNextRequest } = await import('../shell/request-report.ts')
      await writeNextRequest(session.workspace, context)
    }
    return 0
  },
}

/** An element of `skills --json`. */
export interface SkillReport {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly path: string | null
  /** Also `broken` for a SKILL.md that could not be loaded. */
  readonly status: SkillStatus
  readonly tools: readonly string[]
  /** Tokens that its text and its tools add to a request; null when the log has only its description. */
  readonly tokens: number | null
  readonly diagnostics: readonly DiagnosticReport[]
}

/** Returns all skills of a session, including shadowed ones, then those that could not be loaded. */
export async function skillReports({
  project,
  workspace,
  counter,
}: OpenSession): Promise<readonly SkillReport[]> {
  const [{ knownSkillTokens }, { skillToolNames }] = await Promise.all([
    import('../../render/prompt/ledger/section-tokens.ts'),
    import('../../engine/standing/list-skills.ts'),
  ])
  const { diagnostics } = project
  const listed = workspace.skills().map((listing): SkillReport => {
    const { name, skill, status } = listing
    return {
      name,
      displayName: skill?.displayName ?? name,
      description: skill?.description ?? '',
      path: skill?.path ?? null,
      status,
      tools: skillToolNames(listing, workspace.state, workspace.catalog),
      tokens: skill === undefined ? 0 : knownSkillTokens(skill, workspace.catalog, counter),
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

/** Returns the diagnostics of a SKILL.md and of the files in its folder. */
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

const PAINTS: Readonly<Record<SkillStatus, Paint | undefined>> = {
  active: 'green',
  pending: 'yellow',
  inactive: undefined,
  'not-permitted': 'yellow',
  conflicting: 'yellow',
  'missing-requirement': 'yellow',
  broken: 'red',
  changed: 'red',
  shadowed: 'dim',
  unknown: 'red',
}

/** Writes skills as a table. */
export function writeSkillTable(skills: readonly SkillReport[], context: CliContext): void {
  writeTable(
    ['SKILL', 'STATUS', 'TOOLS', 'TOKENS', 'DESCRIPTION'],
    skills.map(({ name, status, tools, tokens, description, diagnostics }) => [
      { text: name },
      { text: status, ...colour(PAINTS[status]) },
      { text: String(tools.length) },
      { text: String(tokens ?? '?') },
      {
        text:
          description === ''
            ? (diagnostics.find(({ severity }) => severity === 'error')?.message ?? '')
            : description,
      },
    ]),
    context,
  )
}

function colour(paint: Paint | undefined) {
  return paint === undefined ? {} : { colour: paint }
}
