import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine, shellWord } from '../../../../entries/kit.ts'
import type { Option } from 'commander'
import { refuseMissingEntry, openSessionAt } from '../../opening/find-session.ts'
import { readIntactPart } from '../../opening/read-stored-session.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { atOption, type StoredSessionOptions, sessionOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { paint } from '../../../report/writers/paint.ts'

/** `loadout sessions show`: print the entries of a session; no definitions are read. */
export const sessionsShowCommand: CliCommand<StoredSessionOptions> = {
  name: 'show',
  summary: 'Print the entries of a session',
  description:
    'Print the agent, the times and the entries of a session; with --json, each entry in full. To also ' +
    'print the resulting state, use "loadout replay".\n\n' +
    'The session is given by its id, the first characters of a random id, "latest", or a log that ' +
    'contains only one session. Append "@12", or use --at 12, to stop after entry 12.\n\n' +
    'For a damaged session, the valid entries and the damage are printed, and the exit code is 1.',
  arguments: '[session]',
  options: (): readonly Option[] => [atOption(), ...sessionOptions()],
  examples: ['loadout sessions show latest', 'loadout sessions show run.jsonl@3 --json'],
  async run({ words: [word], options, context }) {
    const found = await openSessionAt(word, options, 'look', context)
    const { entries: all, damage } = await readIntactPart(found)
    if (found.at !== null) refuseMissingEntry(found.at, all.length - 1, found.session)
    const entries = found.at === null ? all : all.slice(0, found.at + 1)
    const opening = all[0]?.event
    const { agent, principal, policy, tokenizer } =
      opening?.type === 'session.opened' ? opening : UNKNOWN
    const mode = policy?.mode ?? null
    const { isoTime } = await import('../../../playground/text/iso-time.ts')
    const { findParent } = await import('../../opening/session-tree.ts')
    const parent = findParent(found.session, all[0])
    const openedAt = all[0]?.at ?? 0
    const changedAt = all.at(-1)?.at ?? 0
    const { session, open } = found
    if (options.json === true) {
      const times = { openedAt: isoTime(openedAt), changedAt: isoTime(changedAt) }
      const who = { agent, parent, mode, principal, tokenizer }
      const log = open.name
      context.stdout.write(jsonText({ session, log, ...times, ...who, entries, damage }))
      return damage === null ? 0 : 1
    }
    const { damageText, timeText } = await import('../../shell/time-text.ts')
    const say = (line: string) => context.stdout.write(`${line}\n`)
    const what = counted(all.length, 'entry', 'entries')
    say(`${paint(sanitiseLine(session), 'bold', context)} in ${sanitiseLine(open.name)}: ${what}`)
    const facts = [
      `opened ${timeText(openedAt)}, changed ${timeText(changedAt)}`,
      agent === null ? 'no agent' : `agent ${sanitiseLine(agent)}`,
      ...(parent === null ? [] : [`child of ${sanitiseLine(parent)}`]),
      ...(mode === null ? [] : [`${sanitiseLine(mode)} mode`]),
      ...(principal === null ? [] : [`for ${sanitiseLine(principal)}`]),
    ]
    say(paint(facts.join(', '), 'dim', context))
    const { describeEntries } = await import('../../../report/facts/timeline-report.ts')
    for (const { text } of describeEntries(entries)) say(sanitiseLine(text))
    if (damage === null) return 0
    say(paint(sanitiseLine(damageText(damage)), 'red', context))
    say(`Repair it: loadout sessions repair --log ${shellWord(sanitiseLine(open.name))}`)
    return 1
  },
}

const UNKNOWN = { agent: null, principal: null, policy: null, tokenizer: null }
