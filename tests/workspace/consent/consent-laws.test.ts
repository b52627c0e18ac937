import fc from 'fast-check'
import { VirtualWorkspace, type Entry, type WorkspaceEvent } from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from '../a-workspace.ts'
import { deeds, stagedCatalog } from '../random-session.ts'

type Of<Type extends WorkspaceEvent['type']> = Extract<WorkspaceEvent, { type: Type }>

function eventsOf<Type extends WorkspaceEvent['type']>(
  entries: readonly Entry[],
  type: Type,
): readonly (Of<Type> & { readonly seq: number })[] {
  return entries.flatMap(({ seq, event }) =>
    event.type === type ? [{ ...(event as Of<Type>), seq }] : [],
  )
}

/** Counts the cases of the law in random sessions: a law without cases proves nothing. */
const seen = { once: 0, remembered: 0, quarantined: 0 }

/** Two at once, since that is where one consent may be used twice. */
async function lived(acts: readonly Act[]) {
  const workspace = await VirtualWorkspace.open({ catalog: await stagedCatalog({ script: [] }) })
  for (let index = 0; index < acts.length; index += 2) {
    await Promise.all(acts.slice(index, index + 2).map(({ deed }) => deed(workspace)))
    const { state } = workspace
    for (const { name, status } of workspace.tools()) {
      if (status !== 'changed') continue
      seen.quarantined += 1
      expect(workspace.getAvailableTools().map((tool) => tool.name)).not.toContain(name)
    }
    for (const { tool, hash } of state.approvals) {
      const pin = state.pins.find((one) => one.tool === tool)
      expect(pin?.hashes).toContain(hash)
    }
  }
  return workspace
}

interface Act {
  deed(workspace: VirtualWorkspace): Promise<unknown>
}

const ASK: Act = { deed: (workspace) => workspace.callTool('asked', {}) }
const STEP: Act = { deed: (workspace) => workspace.beginStep() }
const APPROVE: Act = { deed: (workspace) => approveFirst(workspace, 'call') }
const REMEMBER: Act = { deed: (workspace) => approveFirst(workspace, 'session') }
const CHANGE: Act = {
  deed: (workspace) => {
    const changed = aTool('asked', { description: 'Does more.', requiresConfirmation: true })
    return workspace.registerTool(changed, { replace: true, trusted: false })
  },
}

function approveFirst(workspace: VirtualWorkspace, remember: 'call' | 'session') {
  const [asked] = workspace.state.confirmations
  return workspace.approve(asked?.id ?? 'nothing', { remember })
}

test('whatever happens, a call that asks runs by one answer, or by what is remembered of it', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fc.boolean(), async (acts, remembers) => {
      // Enough of what it is about, among all the rest.
      const begin = remembers ? [ASK, STEP, REMEMBER, STEP, ASK, STEP] : [ASK, STEP, APPROVE, STEP]
      const end = remembers ? [CHANGE, STEP] : []
      const workspace = await lived([...begin, ...acts.flatMap((act) => [act, ASK]), ...end])
      const entries = await workspace.entries()
      const approved = eventsOf(entries, 'confirmation.approved')
      const started = eventsOf(entries, 'call.started').filter(({ tool }) => tool === 'asked')
      const used = started.flatMap(({ confirmation }) => confirmation ?? [])
      expect(new Set(used).size).toBe(used.length)
      for (const { seq, hash, confirmation, approval } of started) {
        if (approval === undefined) {
          seen.once += 1
          expect(approved.some((one) => one.id === confirmation && one.seq < seq)).toBe(true)
          continue
        }
        seen.remembered += 1
        const given = eventsOf(entries, 'approval.remembered').findLast(
          (one) => one.seq < seq && one.hash === hash,
        )
        const taken = eventsOf(entries, 'approval.revoked').filter((one) => one.tool === 'asked')
        expect(given).toBeDefined()
        expect(taken.some((one) => one.seq > (given?.seq ?? seq) && one.seq < seq)).toBe(false)
      }
      await workspace.close()
    }),
    { numRuns: 120 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})
