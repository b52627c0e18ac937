import { defineAgent } from 'loadout'
import type { OnConflict } from '../../../src/skills/definition/skill.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assess } from '../../../src/engine/standing/assess.ts'
import type { Command } from '../../../src/engine/model/command.ts'
import { explainTool } from '../../../src/engine/explain/explain-tool.ts'
import { listTools } from '../../../src/engine/standing/list-tools.ts'
import { placeClaims, winnerAmong } from '../../../src/engine/standing/place-claims.ts'
import type { OpenSource } from '../../../src/engine/model/source-event.ts'
import { toolTable } from '../../../src/engine/standing/tool-table.ts'
import { aSkill, aTool } from '../../workspace/a-workspace.ts'
import { contextOf, OPENING, stateAfter } from '../a-session.ts'

const names = ['x', 'y', 'a__x']
const TOOLS = names.flatMap((name) =>
  ['1.0.0', '2.0.0'].flatMap((version) =>
    ['one', 'two'].map((description) => aTool(name, { version, description })),
  ),
)
const conflicts: readonly OnConflict[] = ['refuse', 'shadow', 'namespace']
const skills = ['a', 'b', 'c'].flatMap((name, index) =>
  conflicts.map((onConflict) =>
    aSkill(`${name}.${onConflict}`, {
      onConflict,
      tools: TOOLS.filter((_, at) => at % 4 === index).slice(0, 2),
    }),
  ),
)
const CONTEXT = await contextOf(
  { skills },
  { tools: TOOLS, agent: defineAgent({ name: 'picker', versions: ['x@^1'] }) },
)

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant('source.register' as const),
    source: fc.constantFrom('component' as const, 'global' as const),
    owner: fc.constantFrom('a', 'a.shadow', 'global'),
    tools: fc.uniqueArray(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 2 }),
    onConflict: fc.constantFrom(...conflicts),
    replace: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('source.unregister' as const),
    source: fc.constantFrom('component' as const, 'global' as const),
    owner: fc.constantFrom('a', 'a.shadow', 'global'),
  }),
  fc.record({
    type: fc.constantFrom('skill.activate' as const, 'skill.deactivate' as const),
    skill: fc.constantFrom(...skills.map(({ name }) => name)),
  }),
  fc.record({
    type: fc.constant('tool.switch' as const),
    tool: fc.constantFrom(...names),
    enabled: fc.boolean(),
  }),
)

test('every claim has one address, and every address has one status', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
      const state = stateAfter(CONTEXT, [OPENING, ...commands])
      const { rows, byAddress, available } = toolTable(state, CONTEXT)

      const rowNames = rows.map(({ name }) => name)
      expect(new Set(rowNames).size).toBe(rowNames.length)
      for (const row of rows) {
        expect(assess(state, CONTEXT, row.name)).toEqual({
          kind: 'registered',
          status: row.status,
          row,
        })
      }
      for (const { owner, claims } of state.open) {
        for (const claim of claims) {
          const found = [...byAddress.entries()].filter(
            ([, row]) => row.owner.owner === owner && row.claim === claim,
          )
          expect(found.length).toBeGreaterThan(0)
          for (const [address] of found) expect(address).toContain(`${owner}/`)
        }
      }
      for (const name of new Set(
        state.open.flatMap(({ claims }) => claims.map((one) => one.name)),
      )) {
        const claims = state.open.flatMap((source) =>
          source.claims.flatMap((claim) => (claim.name === name ? { source, claim } : [])),
        )
        const winner = winnerAmong(claims, CONTEXT.agent)
        expect(rows.find((row) => row.name === name)?.claim.hash).toBe(winner.claim.hash)
      }
      expect(available.map(({ name }) => name)).toEqual(
        rows.filter(({ status }) => status === 'available').map(({ name }) => name),
      )
      const listed = listTools(state, CONTEXT)
      expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length)
      for (const { name, status, owner } of listed) {
        const explained = explainTool(state, CONTEXT, name)
        expect([name, explained.status]).toEqual([name, status])
        if (status !== 'skill-inactive') expect(explained.owner).toBe(owner)
        expect(explained.fix === '').toBe(status === 'available')
        for (const { seq } of explained.because) {
          expect(seq).toBeGreaterThanOrEqual(0)
          expect(seq).toBeLessThanOrEqual(state.seq)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('a table is computed once for a state, and again for another one', () => {
  const before = stateAfter(CONTEXT, [OPENING])
  const after = stateAfter(CONTEXT, [{ type: 'skill.activate', skill: 'a.refuse' }], before)
  expect(toolTable(before, CONTEXT)).toBe(toolTable(before, CONTEXT))
  expect(toolTable(after, CONTEXT).rows.length).toBeGreaterThan(0)
  expect(toolTable(before, CONTEXT).rows).toEqual([])
})

const held = (onConflict: OnConflict, owner = 'holder') =>
  stateAfter(CONTEXT, [
    OPENING,
    {
      type: 'source.register',
      source: 'global',
      owner,
      tools: TOOLS.slice(0, 1),
      onConflict,
    },
  ]).open

const [x1, x1other] = TOOLS as [(typeof TOOLS)[number], (typeof TOOLS)[number]]
const x2 = TOOLS[2] as typeof x1

test.each<{
  what: string
  tool: typeof x1
  onConflict: OnConflict
  more?: object
  owner?: string
  gives: unknown
}>([
  { what: 'the same tool', tool: x1, onConflict: 'refuse', gives: ['x', 'refuse'] },
  { what: 'another tool', tool: x1other, onConflict: 'refuse', gives: 'holder' },
  { what: 'another that shadows', tool: x1other, onConflict: 'shadow', gives: ['x', 'shadow'] },
  {
    what: 'another under its own space',
    tool: x1other,
    onConflict: 'namespace',
    gives: ['me__x', 'namespace'],
  },
  { what: 'another version', tool: x2, onConflict: 'refuse', gives: 'holder' },
  {
    what: 'another version that was picked',
    tool: x2,
    onConflict: 'refuse',
    more: { picked: true },
    gives: ['x', 'shadow'],
  },
  {
    what: 'a picked tool of the name of a meta-tool',
    tool: x2,
    onConflict: 'shadow',
    more: { picked: true },
    owner: 'loadout',
    gives: 'loadout',
  },
])('with a taken name, $what gives $gives', ({ tool, onConflict, more, owner, gives }) => {
  const placed = placeClaims(
    { source: 'skill', owner: 'me', tools: [{ tool, ...more }], onConflict },
    held('refuse', owner),
    null,
  )
  const claim = placed.ok ? placed.claims[0] : undefined
  expect(placed.ok ? [claim?.name, claim?.onConflict] : placed.holder.owner).toEqual(gives)
})

test('two namespaced names that would be equal are a clash', () => {
  const long = TOOLS.find(({ name }) => name === 'a__x') as typeof x1
  const placed = placeClaims(
    {
      source: 'skill',
      owner: 'a',
      tools: [{ tool: long }, { tool: x1other }],
      onConflict: 'namespace',
    },
    held('refuse'),
    null,
  )
  expect(placed).toMatchObject({ ok: false, name: 'a__x', holder: { owner: 'a' } })
})

test('placing tools reads each claim of its owner a few times, however many there are', () => {
  let looks = 0
  const [source] = held('refuse', 'me')
  const claims = Array.from({ length: 500 }, (_, index) => ({
    ...(source?.claims[0] as NonNullable<typeof source>['claims'][number]),
    name: `tool_${index}`,
    get definedAs() {
      looks += 1
      return `tool_${index}`
    },
  }))
  const tools = claims.map((_, index) => ({ tool: aTool(`tool_${index}`) }))
  const request = { source: 'global', owner: 'me', tools, onConflict: 'refuse' } as const
  placeClaims({ ...request, replace: true }, [{ ...source, claims } as OpenSource], null)
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(5 * claims.length)
})
