import { basename, dirname } from 'node:path'
import type { Entry } from '../../../entries/index.ts'
import { didYouMean, nearestNames } from '../../../entries/kit.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import type { ClientName } from '../../../connections/clients/client-profile.ts'
import type { ClientListing } from '../../../connections/clients/list-as-client.ts'
import {
  CLIENT_WORDS,
  listFix,
  placeFix,
  refusedFix,
} from '../../../connections/clients/place-fix.ts'
import { scanPlaces } from '../../project/inventory/scan-places.ts'
import { findRepository } from '../../project/walk/link-reach.ts'
import { eventText } from './event-text.ts'
import { skillInClients } from './skill-in-clients.ts'
import type { ObservedAnswer } from './verdict-report.ts'

/** A tool or a skill of a session of another agent. */
export interface AskedName {
  readonly client: ClientName
  readonly name: string
  readonly history: NameHistory
  readonly entries: readonly Entry[]
  readonly folders: { readonly folder: string; readonly home: string | null }
  /** True if the folder of the session is on this machine. */
  readonly isHere: boolean
  /** Returns the list of the client in that folder, for a window of this many tokens. */
  listAs(window?: number): Promise<ClientListing>
}

export type ObservedFound = Omit<ObservedAnswer, 'client' | 'kind'>

/** Returns the outcome of a skill in a session of another agent. */
export async function observedSkill(asked: AskedName): Promise<ObservedFound> {
  const ended = await afterLoading(asked)
  if (ended !== null && ended.outcome !== 'failed') return ended
  const listed = asked.isHere ? await inFolder(asked) : null
  return listed ?? ended ?? withoutFolder(asked)
}

/** Returns the outcome of a skill that was loaded, or that the model wanted; null for any other. */
async function afterLoading({
  client,
  name,
  entries,
  folders,
}: AskedName): Promise<ObservedFound | null> {
  const from = 'transcript'
  const { command } = CLIENT_WORDS[client]
  const entry = entries.findLast(
    ({ event }) =>
      (event.type === 'command.refused' &&
        event.command === 'skill.activate' &&
        event.subject === name) ||
      ((event.type === 'source.opened' || event.type === 'source.closed') &&
        event.source === 'skill' &&
        event.owner === name),
  )
  const last = entry?.event
  switch (last?.type) {
    case 'source.opened':
      return {
        outcome: 'loaded',
        from,
        reason: 'Its instructions are in the conversation.',
        fix: '',
      }
    case 'source.closed': {
      const by = entries
        .slice(0, entry?.seq)
        .findLast(({ event }) => event.type === 'session.compacted')
      const how = by && ` #${by.seq}: ${eventText(entries, by)}.`
      const reason = `The conversation was shortened, and its instructions are no longer in it.${how ?? ''}`
      return { outcome: 'lost by compaction', from, reason, fix: `Write ${command(name)} again.` }
    }
    case 'command.refused': {
      const { message: reason, code } = last
      if (code === 'DENIED')
        return { outcome: 'refused', from, reason, fix: await refusedFix(client, name, folders) }
      const fix = `Write ${command(name)}, which loads it without a call of the model.`
      return { outcome: 'failed', from, reason, fix }
    }
    default:
      return null
  }
}

/** Returns what the client makes of the skill in the folder of its session now; null where that says nothing. */
async function inFolder(asked: AskedName): Promise<ObservedFound | null> {
  const { client, name, history, folders, listAs } = asked
  const from = 'folder'
  const isBare = history.shown?.last?.description === null
  let listing = await listAs()
  const isCut = (one: ClientListing) =>
    one.skills.some((skill) => skill.name === name && skill.outcome !== 'listed')
  // The transcript does not have the window of its model.
  if (isBare && !isCut(listing)) listing = await listAs(200_000)
  const [first] = skillInClients(name, [listing])
  const skill = listing.skills.find((one) => one.path === first?.path && first.path !== null)
  const other = listing.unlisted.find((one) => one.name === name || isInFolder(one.path, name))
  if (skill !== undefined && skill.outcome !== 'listed') {
    const fix = listFix(client, skill, listing, folders)
    return { outcome: 'cut', from, reason: sentence(skill.reason), fix }
  }
  if (other !== undefined && (skill === undefined || other.outcome === 'replaced')) {
    const outcome = OUTCOMES[other.outcome]
    const fix = listFix(client, other, listing, folders)
    if (skill === undefined || !isUsed(history))
      return { outcome, from, reason: sentence(other.reason), fix }
  }
  if (skill !== undefined) return passedOver(client, name, history)
  // A skill of the client itself, or of a plugin, is in no folder of skills.
  if (history.shown?.last) return null
  const file = await fileElsewhere(name, folders)
  const reason =
    file === null
      ? `No folder that ${listing.title} searches has it.`
      : `${listing.title} does not read ${file}.`
  const listed = listing.skills.map((one) => one.name)
  const near = file === null ? nearestNames(name, listed) : []
  return { outcome: 'not found', from, reason, fix: didYouMean(near, place(asked, file)) }
}

/** Returns the way to give a client a skill that no folder has, or that is in a file it does not read. */
function place({ client, name, folders }: AskedName, file: string | null): string {
  // A path is no name, and names a file elsewhere.
  if (!/^\w[\w:.-]*$/.test(name)) return 'Give the name of a skill: letters, digits and hyphens.'
  return placeFix(client, name, file, folders)
}

const OUTCOMES = {
  hidden: 'disabled',
  replaced: 'shadowed',
  dropped: 'not listed',
  'no-room': 'cut',
} as const

function isInFolder(path: string, name: string): boolean {
  return basename(dirname(path)) === name
}

function isUsed({ events }: NameHistory): boolean {
  return events.length > 0
}

/** Returns the outcome of a skill that was listed, and not wanted; null when another outcome is known. */
function passedOver(client: ClientName, name: string, history: NameHistory): ObservedFound | null {
  if (isUsed(history)) return null
  const isKnown = (history.shown?.last ?? null) !== null
  const reason = isKnown
    ? 'The model was shown it, and used others.'
    : 'The client lists it, and the model used others.'
  const { command } = CLIENT_WORDS[client]
  const fix = `Write ${command(name)}, or say in the description when to use it.`
  return { outcome: 'passed over', from: isKnown ? 'transcript' : 'folder', reason, fix }
}

/** Returns what the transcript alone says. */
function withoutFolder({ client, name, history }: AskedName): ObservedFound {
  const from = 'transcript'
  const fix = `Run loadout skills --as ${client} in the folder of the session.`
  const { shown } = history
  if (shown === null)
    return { outcome: 'unknown', from, reason: 'The transcript has no list of skills.', fix }
  if (shown.last === null)
    return { outcome: 'not listed', from, reason: 'No request showed it to the model.', fix }
  if (shown.last.description === null)
    return { outcome: 'cut', from, reason: 'The model was shown its name alone.', fix }
  return passedOver(client, name, history) ?? { outcome: 'unknown', from, reason: '', fix }
}

/** Finds a file of the skill in the repository, or in folders of other clients. */
async function fileElsewhere(
  name: string,
  { folder, home }: AskedName['folders'],
): Promise<string | null> {
  const { root } = await findRepository(folder, home)
  const { files } = await scanPlaces({ folder, root, home, roots: [] })
  const found = files.find(({ kind, file }) =>
    kind === 'skill' ? isInFolder(file, name) : basename(file, '.md') === name,
  )
  return found?.file ?? null
}

function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? '' : '.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`
}
