import { Option } from 'commander'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import { sessionReference } from '../opening/find-session.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { openingOptions, type OpeningOptions } from '../shell/opening-options.ts'
import { jsonText, rowValues } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface ReplayOptions extends OpeningOptions {
  readonly as?: 'scenario'
  readonly losses?: boolean
}

/** `loadout replay`: print the entries of a session and the resulting state. Runs no code. */
export const replayCommand: CliCommand<ReplayOptions> = {
  name: 'replay',
  summary: 'Print the entries of a session and the resulting state',
  description:
    'Print the entries of a session one by one, and the resulting state. No hooks or handlers are run, ' +
    'and nothing is written.\n\n' +
    'The session is given by its id, or by a log that contains only one session. Append "@12" to stop ' +
    'after entry 12. With --log or --session, all arguments are paths.\n\n' +
    'With --as scenario, prints a scenario of the session for "loadout test", and runs it once: exit code 1 when an ' +
    'expectation does not hold. Messages are known for sessions of "loadout run" and of the playground; ' +
    'results of tools become stubs. Read it before you share it: it contains texts of the conversation.\n\n' +
    'With --losses, prints each request: its tokens, what it kept of the one before, what its provider reported, and ' +
    'why both differ where that is known.',
  arguments: '[session] [paths...]',
  // An activation would be printed as if it were in the log.
  options: () => [
    new Option('--as <form>', 'Print the session in this form').choices(['scenario']),
    new Option(
      '--losses',
      'Print what each request lost of the cache, and what its provider reported',
    ),
    ...openingOptions().filter(({ long }) => long !== '--activate'),
  ],
  examples: [
    'loadout replay run.jsonl --at 2',
    'loadout replay latest --path examples/workbench --json',
    'loadout replay run.sqlite --losses',
    'loadout replay latest --path examples/workbench --as scenario',
  ],
  async run({ words, options: given, context }) {
    const { paths, options } = await readSessionWord(words, given, context.cwd)
    const opened = await openSession(paths, options, context)
    const { workspace } = opened
    if (given.as === 'scenario') {
      const { printScenario } = await import('./scenarios/print-scenario.ts')
      return printScenario(opened, options, context)
    }
    const { printReport } = await import('../../report/writers/print-report.ts')
    const entries = (await workspace.entries()).slice(0, workspace.state.seq + 1)
    if (given.losses === true) {
      const { providerFacts, sessionUsage } = await import('../../../entries/plan.ts')
      const { lossesReport } = await import('../../report/facts/losses-report.ts')
      const usage = sessionUsage(entries, providerFacts())
      if (options.json) {
        const { describeLosses } = await import('../../report/facts/cause-of-loss.ts')
        const losses = describeLosses(entries)
        context.stdout.write(jsonText({ session: workspace.session, ...usage, losses }))
      } else printReport(lossesReport(entries, usage), context)
      return 0
    }
    const report = await replayReport(workspace)
    if (options.json) {
      context.stdout.write(jsonText(report))
      return 0
    }
    const { describeEntries } = await import('../../report/facts/timeline-report.ts')
    for (const { first, text } of describeEntries(entries)) {
      const { type } = first.event
      const bad = type === 'command.refused' || type === 'activation.failed'
      context.stdout.write(`${paint(sanitiseLine(text), bad ? 'red' : undefined, context)}\n`)
    }
    const { turn, step } = report.state
    const say = (label: string, names: readonly string[]) => {
      const list = names.length === 0 ? 'none' : names.map(sanitiseLine).join(', ')
      context.stdout.write(`${paint(label, 'bold', context)}: ${list}\n`)
    }
    say('turn and step', [`${turn} and ${step}`])
    const { questionReport } = await import('../../report/facts/questions-report.ts')
    for (const asked of workspace.state.confirmations) {
      printReport(questionReport('waiting for an answer', asked), context)
    }
    const { parent, children } = report.state
    if (parent !== null) say('child of', [parent.session])
    if (children.length > 0) {
      const named = children.map(({ session, isOpen }) => `${session}${isOpen ? ' (open)' : ''}`)
      say('child sessions', named)
    }
    say('active skills', report.skills)
    say('available tools', report.tools)
    return 0
  },
}

/** Reads the session from the first argument, unless an option gives it; the others are paths. */
async function readSessionWord(
  words: readonly string[],
  options: ReplayOptions,
  cwd: string,
): Promise<{ readonly paths: readonly string[]; readonly options: ReplayOptions }> {
  if (options.log !== undefined || options.session !== undefined) return { paths: words, options }
  const [word, ...paths] = words
  if (word === undefined) {
    throw wrongUsage(
      '"replay" needs a session.',
      'Give a log or the id of a session: loadout replay run.jsonl.',
    )
  }
  const { typed: _typed, ...reference } = await sessionReference(word, cwd)
  return { paths, options: { ...reference, ...options } }
}

/** Returns the output of `replay --json`: the number of entries that were replayed, that of the last one, and the state. */
async function replayReport(workspace: VirtualWorkspace) {
  const { activeSkills } = await import('../../../entries/kit.ts')
  const { questionsReport } = await import('../../report/facts/questions-report.ts')
  const { session, state } = workspace
  const { opening, policy, turn, step, components, disabled, calls } = state
  const { children, used, broken } = state
  return {
    session,
    entries: state.seq + 1,
    seq: state.seq,
    state: {
      agent: opening?.agent ?? null,
      // Of a child session: with the call that it was opened for.
      parent: opening?.parent ?? null,
      mode: opening === null ? null : policy.mode,
      tokenizer: opening?.tokenizer ?? null,
      turn,
      step,
      components: components.map(({ key }) => key),
      disabled: disabled.map(({ tool }) => tool),
      confirmations: rowValues(questionsReport(workspace)),
      // Calls that have not ended, and child sessions: open ones, and those that ended last.
      calls: calls.map(({ call, tool }) => ({ call, tool })),
      children: children.map(({ session: child, agent, call, isOpen }) => {
        return { session: child, agent, call, isOpen }
      }),
      used: used.map(({ tool, count }) => ({ tool, count })),
      // Skills whose hook failed after a resume.
      broken: broken.map(({ skill }) => skill),
    },
    skills: activeSkills(state),
    tools: workspace.getAvailableTools().map(({ name }) => name),
  }
}
