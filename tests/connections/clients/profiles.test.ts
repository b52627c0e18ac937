import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCases } from '../../../scripts/clients/all-cases.ts'
import { compareProfile } from '../../../scripts/clients/compare-profile.ts'
import type { ObservedClient } from '../../../scripts/clients/observed-client.ts'

const cases = new Map(allCases())

test.each(['claude-code', 'codex'] as const)(
  'the profile of %s lists the names and texts of each stored case, in the order that the client had',
  async (client) => {
    const file = join(import.meta.dirname, 'observed', `${client}.json`)
    const observed = JSON.parse(readFileSync(file, 'utf8')) as ObservedClient
    const differing: string[] = []
    for (const [id, one] of cases) {
      const stored = observed.cases[id]
      const { isSame, isUnknown } = await compareProfile(client, one, id, stored?.listed ?? [])
      if (!isSame && !isUnknown) differing.push(id)
    }
    expect(differing).toEqual([])
  },
)
