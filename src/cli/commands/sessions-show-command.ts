import type { Option } from 'commander'
import { lastEntryMeant, openSessionAt } from '../opening/find-session.ts'
import { readIntactPart } from '../opening/read-stored-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { atOption, type SessionsOptions, sessionsOptions } from '../shell/common-options.ts'
import { damageText, describeEntry, isoTime, timeText } from '../shell/describe-entry.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'
import { shellWord } from '../shell/shell-word.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'

interface ShowOptions extends SessionsOptions {
  readonly at?: number
}

/** `loadout sessions show`: the entries of a session as its log has them; no definition is read. */
export const sessionsShowCommand: CliCommand<ShowOptions> = {
  name: 'show',
  summary: 'print the entries of a session, of a damaged one those that are whole',
  description:
    'Print who a session is of and its entries, with --json each of them in full. The session is an ' +
    'id, the first characters of a random one, "latest", or a log that holds one; with "@12" or --at ' +
    '12 up to that entry. No skills are read: "loadout replay" tells also where a session stands. ' +
    'Exit code 1 for a damaged session: what is whole of it is printed, and where that ends.',
  arguments: '<session>',
  options: (): readonly Option[] => [atOption(), ...sessionsOptions()],
  examples: ['loadout sessions show latest', 'loadout sessions show run.jsonl@3 --json'],
  async run({ words: [word = ''], options, context }) {
    const found = await openSessionAt(word, options, 'look', context)
    const { entries: all, damage } = await readIntactPart(found)
    const entries = all.slice(0, lastEntryMeant(found, all.length) + 1)
    const opening = all[0]?.event
    const { agent, principal, policy, tokenizer } =
      opening?.type === 'session.opened' ? opening : UNKNOWN
    const mode = policy?.mode ?? null
    const openedAt = all[0]?.at ?? 0
    const changedAt = all.at(-1)?.at ?? 0
    const { session, open } = found
    if (options.json === true) {
      const times = { openedAt: isoTime(openedAt), changedAt: isoTime(changedAt) }
      const who = { agent, mode, principal, tokenizer }
      const log = open.name
      context.stdout.write(jsonText({ session, log, ...times, ...who, entries, damage }))
      return damage === null ? 0 : 1
    }
    const say = (line: string) => context.stdout.write(`${line}\n`)
    const what = all.length === 1 ? '1 entry' : `${all.length} entries`
    say(`${paint(sanitiseLine(session), 'bold', context)} in ${sanitiseLine(open.name)}: ${what}`)
    const facts = [
      `opened ${timeText(openedAt)}, changed ${timeText(changedAt)}`,
      agent === null ? 'no agent' : `agent ${sanitiseLine(agent)}`,
      ...(mode === null ? [] : [`${sanitiseLine(mode)} mode`]),
      ...(principal === null ? [] : [`for ${sanitiseLine(principal)}`]),
    ]
    say(paint(facts.join(', '), 'dim', context))
    for (const entry of entries) say(sanitiseLine(describeEntry(entry)))
    if (damage === null) return 0
    say(paint(sanitiseLine(damageText(damage)), 'red', context))
    say(`Repair it: loadout sessions repair --log ${shellWord(sanitiseLine(open.name))}`)
    return 1
  },
}

const UNKNOWN = { agent: null, principal: null, policy: null, tokenizer: null }
