import { Option } from 'commander'
import { skillReports } from './skills-command.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type CommonOptions, commonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'
import { describeCause, describeEvent } from '../../engine/explain/describe-event.ts'
import type { Explanation, Reason } from '../../engine/explain/explanation.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { findSkill } from '../../skills/find-skill.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

interface WhyCommandOptions extends CommonOptions {
  readonly skill?: true
  readonly tool?: true
}

/** `loadout why`: the entries that led a tool or skill to its status, and what would change it. */
export const whyCommand: CliCommand<WhyCommandOptions> = {
  name: 'why',
  summary: 'explain why a tool or a skill can, or cannot, be used',
  description:
    'Explain a tool by its name or as owner/name, else a skill by its id, alias or display name. "#3" is the entry of the log that a reason comes from. Exit code 1 when there is neither.',
  arguments: '<name> [paths...]',
  options: () => [
    ...commonOptions(),
    new Option('--skill', 'only look among skills').conflicts('tool'),
    new Option('--tool', 'only look among tools'),
  ],
  examples: ['loadout why query_table examples/workbench'],
  async run({ words: [name = '', ...paths], options, context }) {
    const session = await openSession(paths, options, context)
    const only = options.skill ? 'skill' : options.tool ? 'tool' : null
    const report = await recallFromLog(whyReport(name, only, session), session.workspace)
    if (options.json) context.stdout.write(jsonText(report))
    else writeReport(report, context)
    return report.status === 'unknown' ? 1 : 0
  },
}

function writeReport(report: WhyReport, context: CliContext): void {
  const { name, kind, status, source, owner, because, fix } = report
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const good = status === 'available' || status === 'active'
  const told = paint(status, good ? 'green' : 'yellow', context)
  const what = status === 'unknown' ? '' : ` (${kind})`
  say(`${paint(sanitiseLine(name), 'bold', context)}${what}: ${told}`)
  if (kind === 'tool' && source !== null) say(`from: ${source} ${sanitiseLine(owner ?? '')}`)
  for (const { seq, text } of because) say(`  #${seq} ${sanitiseLine(text)}`)
  if (fix !== '') say(`fix: ${sanitiseLine(fix)}`)
}

/** What `why --json` prints: an explanation, its keys in this order. */
export type WhyReport = Explanation

/**
 * Explain what goes by a name: a tool, else a skill, else a skill that could not be loaded.
 *
 * @param only look among one kind; among both when null
 */
export function whyReport(
  name: string,
  only: 'tool' | 'skill' | null,
  session: OpenSession,
): WhyReport {
  const { kind, status, source, owner, because, fix, changes, nearest, ...rest } = explain(
    name,
    only,
    session,
  )
  const drift = changes && { changes }
  return { name: rest.name, kind, status, source, owner, because, fix, ...drift, nearest }
}

function explain(name: string, only: 'tool' | 'skill' | null, session: OpenSession): Explanation {
  const { workspace } = session
  const tool = workspace.explain(name)
  if (only === 'tool' || (only === null && tool.status !== 'unknown')) return tool
  const found = findSkill(name, workspace.catalog.skills)
  const skill = workspace.explainSkill(found.ok ? found.name : name)
  if (skill.status !== 'unknown') return skill
  const unloaded = brokenSkill(name, session)
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
    because: [{ seq, text: `No tool and no skill is named "${name}".` }],
    fix: didYouMean(nearest, 'List the tools and the skills to see their names.'),
    nearest,
  }
}

/** Why a SKILL.md that is there is no skill. */
function brokenSkill(name: string, session: OpenSession): Explanation | null {
  const broken = skillReports(session).find((one) => one.name === name && one.status === 'broken')
  const errors = broken?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length === 0) return null
  return {
    name,
    kind: 'skill',
    status: 'broken',
    source: 'skill',
    owner: name,
    because: errors.map(({ message }) => ({ seq: 0, text: `It could not be loaded: ${message}` })),
    fix: errors.map(({ hint }) => hint).join(' '),
    nearest: [],
  }
}

/**
 * What the log still says of a name that no definition at hand has: a skill that was put away, or its
 * tool, where nobody gave the folder of the skill. Any other report stays as it is.
 */
async function recallFromLog(report: WhyReport, workspace: WorkspaceReader): Promise<WhyReport> {
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
        ? `Give the path of the skill "${owner}", too: the log has it, and no path given here does.`
        : 'Ask the program that registers it: no path given here does.',
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
