import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Entry, Verdict } from '../../../entries/index.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { CLIENT_NAMES, type ClientName } from '../../../connections/clients/client-profile.ts'
import { type ClientListing, listAsClient } from '../../../connections/clients/list-as-client.ts'
import {
  CLIENT_WORDS,
  cutFix,
  placeFix,
  refusedFix,
  unlistedFix,
} from '../../../connections/clients/place-fix.ts'
import { scanPlaces } from '../../project/inventory/scan-places.ts'
import { findRepository } from '../../project/walk/link-reach.ts'
import { eventText } from '../../report/facts/event-text.ts'
import { skillInClients } from '../../report/facts/skill-in-clients.ts'
import type { ObservedSkill } from '../../report/facts/verdict-report.ts'

/** A skill of a session of another agent. */
interface AskedSkill {
  readonly verdict: Verdict
  readonly history: NameHistory
  readonly entries: readonly Entry[]
  readonly home: string | null
}

type Found = Omit<ObservedSkill, 'client'>

/** Returns the outcome of a skill in an observed session; null for a session of Loadout, and for another agent. */
export async function observedSkill(asked: AskedSkill): Promise<ObservedSkill | null> {
  const [opening] = asked.entries
  const observed = opening?.event.type === 'session.opened' ? opening.event.observed : undefined
  const client = CLIENT_NAMES.find((one) => one === observed?.client)
  if (client === undefined) return null
  const folder = observed?.folder ?? ''
  const isHere = folder !== '' && (await stat(folder).catch(() => null))?.isDirectory() === true
  const folders = { folder, home: asked.home }
  const ended = await afterLoading(client, asked, folders)
  if (ended !== null && ended.outcome !== 'failed') return { client, ...ended }
  const listed = isHere ? await inFolder(client, asked, folders) : null
  return { client, ...(listed ?? ended ?? withoutFolder(client, asked)) }
}

type Folders = { readonly folder: string; readonly home: string | null }

/** Returns the outcome of a skill that was loaded, or that the model wanted; null for any other. */
async function afterLoading(
  client: ClientName,
  { verdict: { name }, entries }: AskedSkill,
  folders: Folders,
): Promise<Found | null> {
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
async function inFolder(
  client: ClientName,
  { verdict: { name }, history, entries, home }: AskedSkill,
  folders: Folders,
): Promise<Found | null> {
  const from = 'folder'
  const listings = { folder: folders.folder, home, client }
  const isBare = history.shown?.last?.description === null
  let listing = await listAsClient({ ...listings, ...modelIn(entries) })
  const isCut = (one: ClientListing) =>
    one.skills.some((skill) => skill.name === name && skill.outcome !== 'listed')
  // The transcript does not have the window of its model.
  if (isBare && !isCut(listing))
    listing = await listAsClient({ ...listings, window: 200_000, ...modelIn(entries) })
  const [first] = skillInClients(name, [listing])
  const skill = listing.skills.find((one) => one.path === first?.path && first.path !== null)
  const other = listing.unlisted.find((one) => one.name === name || isInFolder(one.path, name))
  if (skill !== undefined && skill.outcome !== 'listed') {
    const fix = cutFix(client, skill, listing, folders)
    return { outcome: 'cut', from, reason: sentence(skill.reason), fix }
  }
  if (other !== undefined && (skill === undefined || other.outcome === 'replaced')) {
    const outcome = OUTCOMES[other.outcome]
    const fix = unlistedFix(client, other, listing, folders)
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
  return { outcome: 'not found', from, reason, fix: placeFix(client, name, file, folders) }
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
function passedOver(client: ClientName, name: string, history: NameHistory): Found | null {
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
function withoutFolder(client: ClientName, { verdict: { name }, history }: AskedSkill): Found {
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

/** Returns the model of the last answer, by which the room of a list is counted. */
function modelIn(entries: readonly Entry[]): { readonly model?: string } {
  const last = entries.findLast(({ event }) => event.type === 'step.reported')?.event
  return last?.type === 'step.reported' && last.model !== undefined ? { model: last.model } : {}
}

/** Finds a file of the skill in the repository, or in folders of other clients. */
async function fileElsewhere(name: string, { folder, home }: Folders): Promise<string | null> {
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
