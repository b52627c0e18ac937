import { Option } from 'commander'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { paint } from '../shell/paint.ts'
import { recalledName } from './recalled-name.ts'
import { whyReport, type WhyReport } from './why-report.ts'

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
    const report = await recalledName(whyReport(name, only, session), session.workspace)
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
