import { Option } from 'commander'
import type { Entry, Explanation, Reason, WorkspaceReader } from '../../../entries/index.ts'
import {
  describeCause,
  describeEvent,
  didYouMean,
  filePlace,
  findSkill,
  nearestNames,
  reasonText,
  sanitiseLine,
} from '../../../entries/kit.ts'
import { skillReports } from './skills-command.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type OpeningOptions, openingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'

interface WhyCommandOptions extends OpeningOptions {
  readonly skill?: true
  readonly tool?: true
}

/** `loadout why`: explain the status of a tool or skill, and what would change it. */
export const whyCommand: CliCommand<WhyCommandOptions> = {
  name: 'why',
  summary: 'Explain why a tool or a skill can or cannot be used',
  description:
    'Explain the status of a tool, given by its name or as owner/name, or of a skill, given by its id, alias or display name. "#3" refers to entry 3 of the session log, which the reason comes from. The exit code is 1 if no tool or skill has the name.',
  arguments: '<name> [paths...]',
  options: () => [
    ...openingOptions(),
    new Option('--skill', 'Take the name as a skill').conflicts('tool'),
    new Option('--tool', 'Take the name as a tool'),
  ],
  examples: ['loadout why query_table examples/workbench'],
  async run({ words: [name = '', ...paths], options, context }) {
    const session = await openSession(paths, options, context)
    const only = options.skill ? 'skill' : options.tool ? 'tool' : null
    const report = await recallFromLog(await whyReport(name, only, session), session.workspace)
    if (options.json) context.stdout.write(jsonText(report))
    else writeReport(report, context)
    return report.status === 'unknown' ? 1 : 0
  },
}

function writeReport(report: Explanation, context: CliContext): void {
  const { name, kind, status, source, owner, sentAs, because, fix } = report
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const good = status === 'available' || status === 'active'
  const shown = paint(status, good ? 'green' : 'yellow', context)
  const what = status === 'unknown' ? '' : ` (${kind})`
  say(`${paint(sanitiseLine(name), 'bold', context)}${what}: ${shown}`)
  if (kind === 'tool' && source !== null) say(`from: ${source} ${sanitiseLine(owner ?? '')}`)
  if (sentAs !== undefined) say(`sent as: ${sanitiseLine(sentAs)}`)
  for (const one of because) say(`  ${sanitiseLine(reasonText(one))}`)
  if (fix !== '') say(`fix: ${sanitiseLine(fix)}`)
}

/**
 * Explains a name: of a tool, else of a skill, else of a skill that could not be loaded. The keys are
 * in the order that `why --json` prints.
 *
 * @param only searches one kind; null searches both
 */
export async function whyReport(
  name: string,
  only: 'tool' | 'skill' | null,
  session: OpenSession,
): Promise<Explanation> {
  const explanation = await explain(name, only, session)
  const { kind, status, source, owner, exposed, sentAs, because, fix, changes, nearest } =
    explanation
  const { needs, outcomes } = explanation
  const sent = {
    ...(exposed !== undefined && { exposed }),
    ...(sentAs !== undefined && { sentAs }),
  }
  const drift = changes && { changes }
  const answer = {
    kind,
    status,
    source,
    owner,
    ...sent,
    because,
    needs,
    outcomes,
    fix,
    ...drift,
    nearest,
  }
  return { name: explanation.name, ...answer }
}

async function explain(
  name: string,
  only: 'tool' | 'skill' | null,
  session: OpenSession,
): Promise<Explanation> {
  const { workspace } = session
  const tool = workspace.explain(name)
  if (only === 'tool' || (only === null && tool.status !== 'unknown')) {
    return explainHandler(tool, session)
  }
  const found = findSkill(name, workspace.catalog.skills)
  const skill = workspace.explainSkill(found.ok ? found.name : name)
  if (skill.status !== 'unknown') return skill
  const unloaded = await brokenSkill(name, session)
  if (unloaded !== null) return unloaded
  if (only === 'skill') return skill
  const known = [...session.workspace.tools(), ...session.workspace.skills()]
  const nearest = nearestNames(
    name,
    known.map((one) => one.name),
  )
  const seq = Math.max(0, workspace.state.seq)
  return {
    ...tool,
    because: [{ seq, text: `No tool or skill is named "${name}".` }],
    fix: didYouMean(nearest, 'List the names with loadout tools and loadout skills.'),
    nearest,
  }
}

/** Explains an unbound tool by the finding about its handler file: it is missing, untrusted or broken. */
function explainHandler(report: Explanation, { project }: OpenSession): Explanation {
  if (report.status !== 'unbound') return report
  const files = new Set(
    project.handlers
      .filter(({ tool }) => tool.name === report.name)
      .map(({ path, folder }) => path ?? folder),
  )
  const finding = project.diagnostics.find(
    ({ code, file }) => code.startsWith('handler-') && files.has(file ?? null),
  )
  if (finding === undefined) return report
  const [last] = report.because.slice(-1)
  const reason = { seq: last?.seq ?? 0, text: finding.message, ...filePlace(finding) }
  return { ...report, because: [...report.because.slice(0, -1), reason], fix: finding.hint }
}

/** Explains a SKILL.md that could not be loaded. */
async function brokenSkill(name: string, session: OpenSession): Promise<Explanation | null> {
  const broken = (await skillReports(session)).find(
    (one) => one.name === name && one.status === 'broken',
  )
  const errors = broken?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length === 0) return null
  return {
    name,
    kind: 'skill',
    status: 'broken',
    needs: [],
    outcomes: ['refuse'],
    source: 'skill',
    owner: name,
    because: errors.map((error) => ({
      seq: 0,
      text: `It could not be loaded: ${error.message}`,
      ...filePlace(error),
    })),
    fix: errors.map(({ hint }) => hint).join(' '),
    nearest: [],
  }
}

/**
 * Explains an unknown name from the log: a skill that was active, or its tool, whose definition is not
 * at the given paths. Returns any other explanation unchanged.
 */
async function recallFromLog(
  report: Explanation,
  workspace: WorkspaceReader,
): Promise<Explanation> {
  if (report.status !== 'unknown') return report
  const entries = (await workspace.entries()).filter(({ seq }) => seq <= workspace.state.seq)
  const opened = entries.findLast((entry) => brings(entry, report.name))
  if (opened?.event.type !== 'source.opened') return report
  const { owner, source } = opened.event
  const closed = entries.findLast(
    ({ seq, event }) => seq > opened.seq && event.type === 'source.closed' && event.owner === owner,
  )
  return {
    ...report,
    source,
    owner,
    because: [opened, ...(closed ? [closed] : [])].map(reason),
    fix:
      source === 'skill'
        ? `Also give the path of the skill "${owner}": the log refers to it, but no given path defines it.`
        : 'It is registered by another program: no given path defines it.',
  }
}

function brings({ event }: Entry, name: string): boolean {
  return (
    event.type === 'source.opened' &&
    (event.owner === name || event.claims.some((claim) => claim.name === name))
  )
}

function reason({ seq, cause, event }: Entry): Reason {
  const happened = `${describeCause(cause)}: ${describeEvent(event)}.`
  return { seq, text: happened.charAt(0).toUpperCase() + happened.slice(1) }
}
