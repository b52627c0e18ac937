import fc from 'fast-check'
import { defineSkill } from 'loadout'
import { expect, test } from 'vitest'
import { aSearchingWorkspace, aTool, modelCall, search } from './a-searching-workspace.ts'

const NAMES = ['open', 'close', 'paint'] as const
const SKILLS = ['doors', 'windows', 'walls'] as const

/** Skills that share some names, so that one is in another's way. */
const skills = SKILLS.map((name, at) =>
  defineSkill({
    name,
    description: `Work on ${name}.`,
    conflicts: name === 'walls' ? ['doors'] : [],
    tools: [
      aTool(`${NAMES[at] ?? 'open'}_${name}`, {
        description: `Handle ${name}.`,
        related: ['paint_fence'],
        modes: name === 'windows' ? ['text'] : ['text', 'voice'],
      }),
      aTool('measure', { description: `Measure ${name}.`, category: 'retrieval' }),
    ],
  }),
)
const tools = [
  aTool('paint_fence', { description: 'Paint a fence.', category: 'action' }),
  aTool('spend_action', { description: 'Nothing.', category: 'action' }),
  aTool('spend_retrieval', { description: 'Nothing.', category: 'retrieval' }),
]

const aSetting = fc.record({
  active: fc.subarray([...SKILLS]),
  deny: fc.subarray(['open_*', 'measure', 'paint_fence']),
  spent: fc.subarray(['spend_action', 'spend_retrieval']),
  mode: fc.constantFrom('text', 'voice'),
  onFound: fc.constantFrom('activate-on-call' as const, 'suggest' as const),
  queries: fc.array(
    fc.constantFrom('handle doors', 'measure windows', 'measure walls', 'paint a fence', 'windows'),
    { minLength: 1, maxLength: 3 },
  ),
  limit: fc.integer({ min: 1, max: 6 }),
})

test('a call of a tool has the result that its page promises', async () => {
  await fc.assert(
    fc.asyncProperty(aSetting, async ({ active, deny, spent, mode, onFound, queries, limit }) => {
      const options = {
        policy: { mode, permissions: { deny }, callsPerTurn: { action: 1, retrieval: 1 } },
        discovery: { onFound, guard: { sameQuery: 9 } },
      }
      const open = async () => {
        const workspace = await aSearchingWorkspace(options, { skills, tools })
        for (const skill of active) await workspace.activateSkill(skill)
        for (const name of spent) await modelCall(workspace, name, {})
        let page = await search(workspace, queries[0] ?? '', limit)
        for (const query of queries.slice(1)) page = await search(workspace, query, limit)
        return { workspace, page }
      }
      const { page: first } = await open()
      for (const { name, callable = 'now', skill } of first.tools) {
        // A session for each, since a call may load a skill that conflicts with another.
        const { workspace, page } = await open()
        expect(page).toEqual(first)
        const call = await modelCall(workspace, name, {})
        const isReady = callable === 'now' || callable === 'on-call'
        expect(`${name} ${callable} ${call.ok}`).toBe(`${name} ${callable} ${isReady}`)
        if (callable === 'next-turn') {
          await workspace.beginTurn()
          expect(await modelCall(workspace, name, {})).toMatchObject({ ok: true })
        }
        if (callable !== 'load-first') continue
        expect(call).toMatchObject({ error: { details: { code: 'skill-inactive' } } })
        expect(skill).toBeDefined()
      }
    }),
    { numRuns: 60 },
  )
})
