import { expect, test } from 'vitest'
import { allCases } from '../../../scripts/clients/all-cases.ts'
import { compareProfile } from '../../../scripts/clients/compare-profile.ts'
import { readObserved } from '../../../scripts/clients/observed-client.ts'
import { CLIENT_NAMES } from '../../../src/connections/clients/client-profile.ts'

const cases = new Map(allCases())

test.each(CLIENT_NAMES)(
  'the profile of %s lists the names and texts of each stored case, in the order that the client had',
  async (client) => {
    const { cases: observed } = readObserved(client)
    const differing: string[] = []
    const missing = [...cases.keys()].filter((id) => !(id in observed))
    for (const [id, one] of cases) {
      const stored = observed[id]
      if (stored === undefined) continue
      const { isSame, isUnknown } = await compareProfile(client, one, id, stored.listed)
      if (!isSame && !isUnknown) differing.push(id)
    }
    expect({ missing, differing }).toEqual({ missing: [], differing: [] })
  },
)
