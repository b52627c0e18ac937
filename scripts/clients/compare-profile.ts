import { isDeepStrictEqual } from 'node:util'
import { type ClientListing, listAsClient } from '../../src/connections/clients/list-as-client.ts'
import type { ClientName } from '../../src/connections/clients/client-profile.ts'
import { type ClientCase, makeCase, removeCase } from './case-folder.ts'
import { CLAUDE_MODEL } from './run-client.ts'
import { compactListing, type CompactListing } from './compact-listing.ts'

/** The result of comparing a profile with what was observed. */
export interface Compared {
  readonly isSame: boolean
  /** True if the profile marks a skill as unknown, or the order, and nothing else differs. */
  readonly isUnknown: boolean
  readonly profile: CompactListing
}

/** Compares names, order and texts of a client's profile with what was observed. */
export async function compareProfile(
  client: ClientName,
  one: ClientCase,
  id: string,
  observed: CompactListing,
): Promise<Compared> {
  const folders = makeCase(one, id)
  try {
    const { cwd: folder, home } = folders
    const isClaude = client === 'claude-code'
    const window = one.window === undefined || !isClaude ? one.window : CLAUDE_MODEL.window
    const model = window === undefined || !isClaude ? undefined : CLAUDE_MODEL.name
    const listing = await listAsClient({
      folder,
      home,
      client,
      ...(window !== undefined && { window }),
      ...(model !== undefined && { model }),
    })
    const profile = compactProfile(listing)
    return {
      isSame: isDeepStrictEqual(profile, observed),
      isUnknown:
        listing.skills.some(({ unknown }) => unknown !== null) ||
        (listing.unknownOrder !== null && isDeepStrictEqual(inOrder(profile), inOrder(observed))),
      profile,
    }
  } finally {
    removeCase(folders)
  }
}

function inOrder(listed: CompactListing): readonly string[] {
  return listed.map((one) => JSON.stringify(one)).toSorted()
}

function compactProfile({ skills }: ClientListing): CompactListing {
  return compactListing(
    skills.map(({ name, description, builtIn, whole, shown }) => ({
      name,
      description,
      ...(builtIn && { builtIn: { whole, shown } }),
    })),
  )
}
