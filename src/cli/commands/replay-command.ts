import { sessionReference } from '../opening/find-session.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { describeEntry } from '../shell/describe-entry.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { PendingConfirmation } from '../../engine/model/consent-event.ts'
import { activeSkills } from '../../engine/standing/assess-skill.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

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

/** What `replay --json` prints. */
interface ReplayReport {
  readonly session: string
  /** How many were folded. */
  readonly entries: number
  /** The last one's number. */
  readonly seq: number
  readonly state: {
    readonly agent: string | null
    readonly mode: string | null
    readonly tokenizer: string | null
    readonly turn: number
    readonly step: number
    /** Keys of the registered components. */
    readonly components: readonly string[]
    /** Tools that were switched off. */
    readonly disabled: readonly string[]
    readonly confirmations: readonly {
      readonly tool: string
      readonly consent: PendingConfirmation['consent']
    }[]
    /** Calls that have not ended. */
    readonly calls: readonly { readonly call: string; readonly tool: string }[]
    readonly used: readonly { readonly tool: string; readonly count: number }[]
    /** Skills whose hook failed after a resume. */
    readonly broken: readonly string[]
  }
  readonly skills: readonly string[]
  readonly tools: readonly string[]
}

/** Where a session stands. */
function replayReport(workspace: VirtualWorkspace): ReplayReport {
  const { session, state } = workspace
  const { opening, policy, turn, step, components, disabled, confirmations, calls, used, broken } =
    state
  return {
    session,
    entries: state.seq + 1,
    seq: state.seq,
    state: {
      agent: opening?.agent ?? null,
      mode: opening === null ? null : policy.mode,
      tokenizer: opening?.tokenizer ?? null,
      turn,
      step,
      components: components.map(({ key }) => key),
      disabled: disabled.map(({ tool }) => tool),
      confirmations: confirmations.map(({ tool, consent }) => ({ tool, consent })),
      calls: calls.map(({ call, tool }) => ({ call, tool })),
      used: used.map(({ tool, count }) => ({ tool, count })),
      broken: broken.map(({ skill }) => skill),
    },
    skills: activeSkills(state),
    tools: workspace.getAvailableTools().map(({ name }) => name),
  }
}
