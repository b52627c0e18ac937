import { dirname, sep } from 'node:path'
import type { SkillStatus } from '../../../entries/index.ts'
import { skillStatusText } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { openingOptions, type OpeningOptions, repeatable } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import type { Paint } from '../shell/paint.ts'
import { type DiagnosticReport, diagnosticReport } from '../shell/report-diagnostics.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { writeTable } from '../shell/write-table.ts'
import type { SkillScope } from '../../project/config/skill-scope.ts'

interface SkillsOptions extends OpeningOptions {
  readonly off?: readonly string[]
  readonly on?: readonly string[]
}

/** `loadout skills`: list all skills, including those that could not be loaded. */
export const skillsCommand: CliCommand<SkillsOptions> = {
  name: 'skills',
  summary: 'List skills with their status, tools and token count',
  description:
    'List all skills. TOKENS is the number of tokens that the skill adds to a request: its text, and the definitions of its tools. The last line is the price of the next request. A SKILL.md that could not be loaded is listed as broken. If two skills have the same name, the second is listed as shadowed. With --off a skill is neither listed nor loaded for models in sessions of the project in the current folder, until --on; the choice is kept in your configuration folder.',
  arguments: '[paths...]',
  options: () => [
    ...openingOptions(),
    repeatable('--off <skill>', 'Turn a skill off for models in this project (repeatable)'),
    repeatable('--on <skill>', 'Turn it on again (repeatable)'),
  ],
  examples: [
    'loadout skills examples/workbench --json',
    'loadout skills examples/workbench --off data-analysis',
  ],
  async run({ words, options, context }) {
    const { off = [], on = [] } = options
    const turnedOn = off.length + on.length === 0 ? [] : await turnSkills(words, options, context)
    const session = await openSession(words, options, context)
    const skills = await skillReports(session)
    writeTurnedOn(turnedOn, skills, context)
    if (options.json) context.stdout.write(jsonText(skills))
    else {
      writeSkillTable(skills, context)
      const { writeNextRequest } = await import('../shell/request-report.ts')
      await writeNextRequest(session.workspace, context)
    }
    return 0
  },
}

/** Turns skills off, and says so on stderr, and others on. Returns the ids of these. */
async function turnSkills(
  words: readonly string[],
  { off = [], on = [], ...options }: SkillsOptions,
  context: CliContext,
): Promise<readonly string[]> {
  const [{ findSkill, didYouMean }, { skillDesk }] = await Promise.all([
    import('../../../entries/kit.ts'),
    import('../opening/skill-desk.ts'),
  ])
  const opened = await openSession(words, { ...options, json: true }, context)
  const { workspace, reading } = opened
  const desk = await skillDesk(reading)
  const { deny } = await reading.switches.read(reading.project ?? process.cwd())
  const kept = new Set(deny.map(({ where }) => where?.['skillName']))
  const named = (name: string): string => {
    const found = findSkill(name, workspace.catalog.skills)
    if (found.ok) return found.name
    // One that was removed, or is broken now, can be turned on as well.
    if (kept.has(name)) return name
    const hint = didYouMean(found.nearest, 'List the skills to see their names: loadout skills.')
    throw wrongUsage(`No skill is named "${name}".`, hint)
  }
  const [offNames, onNames] = [off.map(named), on.map(named)]
  const both = offNames.find((name) => onNames.includes(name))
  if (both !== undefined) throw wrongUsage(`"${both}" cannot be turned off and on.`, 'Choose one.')
  if (offNames.length > 0) {
    await desk.turn(offNames, true)
    const where = `(kept in ${reading.switches.file})`
    writeLine(`${are(offNames)} off for models in this project ${where}.`, context)
  }
  if (onNames.length > 0) await desk.turn(onNames, false)
  return onNames
}

/** Says which skills are on, and which of them are still off because of another rule. */
function writeTurnedOn(
  names: readonly string[],
  skills: readonly SkillReport[],
  context: CliContext,
): void {
  const isOff = (name: string) => skills.some((skill) => skill.name === name && skill.off)
  const on = names.filter((name) => !isOff(name))
  const off = names.filter(isOff)
  if (on.length > 0) writeLine(`${are(on)} on for models in this project.`, context)
  const [first] = off
  if (first === undefined) return
  const [them, they] = off.length === 1 ? ['it', 'it requires'] : ['them', 'they require']
  const why = `a rule denies loading ${them}, or a skill that ${they}`
  writeLine(`${are(off)} still off: ${why}. loadout why ${first} shows it.`, context)
}

function are(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
}

function writeLine(text: string, { stderr }: CliContext): void {
  stderr.write(`${sanitiseLine(text)}\n`)
}

/** An element of `skills --json`. */
export interface SkillReport {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly path: string | null
  /** Also `broken` for a SKILL.md that could not be loaded. */
  readonly status: SkillStatus
  /** True when the rules deny a model to load it. */
  readonly off: boolean
  /** The place it was read from. */
  readonly scope: SkillScope
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
  reading,
}: Pick<OpenSession, 'project' | 'workspace' | 'counter' | 'reading'>): Promise<
  readonly SkillReport[]
> {
  const [{ knownSkillTokens }, { skillToolNames, refusedSkills }, { skillDesk }] =
    await Promise.all([
      import('../../../entries/plan.ts'),
      import('../../../entries/kit.ts'),
      import('../opening/skill-desk.ts'),
    ])
  const desk = await skillDesk(reading)
  const refused = refusedSkills(workspace.state.policy, workspace.catalog)
  return workspace.skills().map((listing): SkillReport => {
    const { name, skill, status, unread } = listing
    const path = (unread ?? skill)?.path
    const own = project.diagnostics.filter(
      ({ file }) => path !== undefined && (file === path || file?.startsWith(dirname(path) + sep)),
    )
    return {
      name,
      displayName: skill?.displayName ?? name,
      description: skill?.description ?? '',
      path: path ?? null,
      status,
      off: status !== 'shadowed' && unread === undefined && refused.has(name),
      scope: desk.scopeOf(unread ?? skill),
      tools: skillToolNames(listing, workspace.state, workspace.catalog),
      tokens: skill === undefined ? 0 : knownSkillTokens(skill, workspace.catalog, counter),
      diagnostics: own.map(diagnosticReport),
    }
  })
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
    skills.map(({ name, status, off, tools, tokens, description, diagnostics }) => [
      name,
      { text: skillStatusText(status, off), colour: PAINTS[status] },
      String(tools.length),
      String(tokens ?? '?'),
      description || (diagnostics.find(({ severity }) => severity === 'error')?.message ?? ''),
    ]),
    context,
  )
}
