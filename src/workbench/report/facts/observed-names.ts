import { stat } from 'node:fs/promises'
import type { Entry, Verdict } from '../../../entries/index.ts'
import { CLIENT_NAMES } from '../../../connections/clients/client-profile.ts'
import { type ClientListing, listAsClient } from '../../../connections/clients/list-as-client.ts'
import { serverOfTool } from '../../../connections/clients/find-tool-setting.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { observedSkill } from './observed-skill.ts'
import { hasCalls, observedTool } from './observed-tool.ts'
import type { ObservedAnswer } from './verdict-report.ts'

/** Returns the outcome of a tool or a skill; null where it is not known. */
export type ReadObserved = (
  verdict: Verdict,
  history: NameHistory,
  /** The kind of a name that nothing has; by its form when absent. */
  only?: Verdict['kind'] | null,
) => Promise<ObservedAnswer | null>

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
  return async ({ name, kind, status }, history, only = null) => {
    const isTool = serverOfTool(name) !== null || hasCalls(name, entries)
    const form = isTool ? 'tool' : 'skill'
    const asked = status === 'unknown' ? (only ?? form) : kind
    const folders = { folder, home }
    const about = { client, name, history, entries, folders, isHere: await isHere, listAs }
    return { client, kind: asked, ...(await READERS[asked](about)) }
  }
}

const READERS = { tool: observedTool, skill: observedSkill }

async function isFolder(path: string): Promise<boolean> {
  return path !== '' && (await stat(path).catch(() => null))?.isDirectory() === true
}

/** Returns the model of the last answer, by which the room of a list is counted. */
function modelIn(entries: readonly Entry[]): { readonly model?: string } {
  const last = entries.findLast(({ event }) => event.type === 'step.reported')?.event
  return last?.type === 'step.reported' && last.model !== undefined ? { model: last.model } : {}
}
