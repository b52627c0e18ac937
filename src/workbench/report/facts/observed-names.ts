import { stat } from 'node:fs/promises'
import type { Entry, Verdict } from '../../../entries/index.ts'
import { CLIENT_NAMES } from '../../../connections/clients/client-profile.ts'
import { type ClientListing, listAsClient } from '../../../connections/clients/list-as-client.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { observedSkill } from './observed-skill.ts'
import type { ObservedAnswer } from './verdict-report.ts'

/** Returns the outcome of a tool or a skill; null where it is not known. */
type ReadObserved = (verdict: Verdict, history: NameHistory) => Promise<ObservedAnswer | null>

/**
 * Creates a function that returns the outcome of a name in an observed session, with one change in the words of the agent. It
 * returns null for a session of Loadout, and for another agent.
 *
 * @param entries those up to the moment that is asked about
 */
export function observedNames(entries: readonly Entry[], home: string | null): ReadObserved {
  const [opening] = entries
  const observed = opening?.event.type === 'session.opened' ? opening.event.observed : undefined
  const client = CLIENT_NAMES.find((one) => one === observed?.client)
  if (client === undefined) return async () => null
  const { folder = '' } = observed ?? {}
  const listings = new Map<number | undefined, Promise<ClientListing>>()
  const listAs = (window?: number) => {
    const made = { ...modelIn(entries), ...(window !== undefined && { window }) }
    const listing = listings.get(window) ?? listAsClient({ folder, home, client, ...made })
    listings.set(window, listing)
    return listing
  }
  const isHere = isFolder(folder)
  return async (verdict, history) => {
    const { name, kind, status } = verdict
    if (kind === 'tool' && status !== 'unknown') return null
    const folders = { folder, home }
    const asked = { client, name, history, entries, folders, isHere: await isHere, listAs }
    return { client, ...(await observedSkill(asked)) }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return path !== '' && (await stat(path).catch(() => null))?.isDirectory() === true
}

/** Returns the model of the last answer, by which the room of a list is counted. */
function modelIn(entries: readonly Entry[]): { readonly model?: string } {
  const last = entries.findLast(({ event }) => event.type === 'step.reported')?.event
  return last?.type === 'step.reported' && last.model !== undefined ? { model: last.model } : {}
}
