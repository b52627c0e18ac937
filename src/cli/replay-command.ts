import { sanitiseLine } from '../kernel/sanitise-line.ts'
import type { CliCommand } from './cli-command.ts'
import { commonOptions, type CommonOptions } from './common-options.ts'
import { describeEntry } from './describe-entry.ts'
import { jsonText } from './json-text.ts'
import { openSession } from './open-session.ts'
import { paint } from './paint.ts'
import { replayReport } from './replay-report.ts'
import { wrongUsage } from './wrong-usage.ts'

/** `loadout replay`: the entries of a log, and the state they add up to. Runs nothing. */
export const replayCommand: CliCommand<CommonOptions> = {
  name: 'replay',
  summary: 'tell what happened in a session, and where it stands',
  description:
    'Tell the entries of a log one by one, and the state they add up to. No hook and no handler is run, and the file is never written.',
  arguments: '[paths...]',
  options: commonOptions,
  examples: ['loadout replay --log run.jsonl --at 2 examples/workbench'],
  async run({ words, options, context }) {
    if (options.log === undefined) {
      throw wrongUsage('"replay" needs a log.', 'Give it: loadout replay --log run.jsonl.')
    }
    const { workspace } = await openSession(words, options, context)
    const entries = (await workspace.entries()).slice(0, workspace.state.seq + 1)
    const report = replayReport(workspace)
    if (options.json) {
      context.stdout.write(jsonText(report))
      return 0
    }
    for (const entry of entries) {
      const line = sanitiseLine(describeEntry(entry))
      const { type } = entry.event
      const bad = type === 'command.refused' || type === 'activation.failed'
      context.stdout.write(`${paint(line, bad ? 'red' : undefined, context)}\n`)
    }
    const { turn, step } = report.state
    const say = (label: string, names: readonly string[]) => {
      const told = names.length === 0 ? 'none' : names.map(sanitiseLine).join(', ')
      context.stdout.write(`${paint(label, 'bold', context)}: ${told}\n`)
    }
    say('turn and step', [`${turn} and ${step}`])
    say('active skills', report.skills)
    say('available tools', report.tools)
    return 0
  },
}
