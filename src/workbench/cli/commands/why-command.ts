import { Option } from 'commander'
import type { Verdict, WorkspaceReader } from '../../../entries/index.ts'
import { didYouMean, nearestNames, reasonText, sanitiseLine } from '../../../entries/kit.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type OpeningOptions, openingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'

/** `loadout why`: explain the status of a tool or skill, and what would change it. */
export const whyCommand: CliCommand<
  OpeningOptions & { readonly skill?: true; readonly tool?: true }
> = {
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
    const { workspace } = await openSession(paths, options, context)
    const only = options.skill ? 'skill' : options.tool ? 'tool' : null
    const report = whyReport(name, only, workspace)
    if (options.json) context.stdout.write(jsonText(report))
    else writeReport(report, context)
    return report.status === 'unknown' ? 1 : 0
  },
}

function writeReport(report: Verdict, context: CliContext): void {
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
 * Explains a name: of a tool, else of a skill by its id, alias or display name. For a name that neither has, names the
 * nearest of both.
 *
 * @param only searches one kind; null searches both
 */
export function whyReport(
  name: string,
  only: 'tool' | 'skill' | null,
  workspace: WorkspaceReader,
): Verdict {
  const tool = workspace.explain(name)
  if (only === 'tool' || (only === null && tool.status !== 'unknown')) return tool
  const skill = workspace.explainSkill(name)
  if (only === 'skill' || skill.status !== 'unknown') return skill
  // The owner of the name has left.
  if (tool.owner !== null) return tool
  const known = [...workspace.tools(), ...workspace.skills()]
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
