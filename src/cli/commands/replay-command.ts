import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { describeEntry } from '../shell/describe-entry.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { paint } from '../shell/paint.ts'
import { sessionReference } from '../opening/session-reference.ts'
import { replayReport } from './replay-report.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** `loadout replay`: the entries of a log, and the state they add up to. Runs nothing. */
export const replayCommand: CliCommand<CommonOptions> = {
  name: 'replay',
  summary: 'tell what happened in a session, and where it stands',
  description:
    'Tell the entries of a session one by one, and the state they add up to. The session is a log that holds one, or the id of one, with "@12" as it was after entry 12; with --log or --session all arguments are paths. No hook and no handler is run, and nothing is written.',
  arguments: '[session] [paths...]',
  options: commonOptions,
  examples: [
    'loadout replay run.jsonl --at 2',
    'loadout replay latest --path examples/workbench --json',
  ],
  async run({ words, options: given, context }) {
    const { paths, options } = await sessionOf(words, given, context.cwd)
    const { workspace } = await openSession(paths, options, context)
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

/** What the first word names, unless options do; the others are paths. */
async function sessionOf(
  words: readonly string[],
  options: CommonOptions,
  cwd: string,
): Promise<{ readonly paths: readonly string[]; readonly options: CommonOptions }> {
  if (options.log !== undefined || options.session !== undefined) return { paths: words, options }
  const [word, ...paths] = words
  if (word === undefined) {
    throw wrongUsage(
      '"replay" needs a session.',
      'Give a log, or the id of a session: loadout replay run.jsonl.',
    )
  }
  const { whole: _whole, ...reference } = await sessionReference(word, cwd)
  return { paths, options: { ...reference, ...options } }
}
