import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/model/command.ts'
import { decide } from '../../src/engine/decide/decide.ts'
import type { FoundTool } from '../../src/engine/model/discovery-event.ts'
import type { EngineContext } from '../../src/engine/model/engine-context.ts'
import { aSkill, aTool } from '../workspace/a-workspace.ts'
import { contextOf, OPENING, order, stateAfter } from './a-session.ts'

const CONTEXT: EngineContext = {
  ...(await contextOf({
    skills: [aSkill('owls'), aSkill('mice', { tools: [aTool('squeak', { modes: ['voice'] })] })],
  })),
  discovery: { onFound: 'activate-on-call', keep: { turns: 1, cap: 2 }, pinned: [] },
  priceOf: (tools) => ({ tokensFreed: tools.length * 10, prefixLost: 7 }),
}

const found = (skill: string, name = `${skill}_tool`, hash?: FoundTool['hash']): FoundTool => {
  const tool = CONTEXT.catalog.skillTools.get(skill)?.find((one) => one.tool.name === name)?.tool
  return { name, owner: skill, source: 'skill', hash: hash ?? tool?.hash ?? 'sha256:0' }
}

const end = (...tools: FoundTool[]): Command => ({
  type: 'search.end',
  search: 's',
  query: 'owls',
  found: tools,
  skills: [],
  confidence: 1,
  route: 'lexical',
  latencyMs: 3,
  stopped: null,
  degraded: null,
})

const eventsOf = (before: Command[], command: Command, context = CONTEXT) =>
  decide(stateAfter(context, [OPENING, ...before]), order(command), context).drafts.map(
    ({ event }) => event,
  )
const typesOf = (...given: Parameters<typeof eventsOf>) =>
  eventsOf(...given).map(({ type }) => type)

test('a query is cut before it fills the log', () => {
  const query = `${'x'.repeat(499)}😀`
  const [started] = eventsOf([], { type: 'search.start', search: 's', query, limit: 5 })
  expect(started).toMatchObject({ type: 'tool_discovery_start', query: expect.any(String) })
  const cut = started?.type === 'tool_discovery_start' ? started.query : ''
  expect([cut.length, cut.isWellFormed()]).toEqual([500, true])
})

test('found tools are enabled, with the time the search took', () => {
  expect(eventsOf([], end(found('owls')))).toMatchObject([
    { type: 'tool_discovery_result', found: [{ name: 'owls_tool' }] },
    { type: 'tools_enabled', tools: [found('owls')], latencyMs: 3, hitRate: null },
  ])
})

test.each<{ what: string; tool: FoundTool; onFound?: 'suggest' }>([
  { what: 'that the mode forbids', tool: found('mice', 'squeak') },
  { what: 'that nobody knows', tool: found('cows') },
  { what: 'with another definition', tool: found('owls', 'owls_tool', 'sha256:2') },
  { what: 'that is only suggested', tool: found('owls'), onFound: 'suggest' },
])('a tool $what is not enabled by a search', ({ tool, onFound }) => {
  const { discovery } = CONTEXT
  const context = { ...CONTEXT, discovery: { ...discovery, ...(onFound && { onFound }) } }
  expect(typesOf([], end(tool), context as EngineContext)).toEqual(['tool_discovery_result'])
})

test('found tools whose turns are over are evicted when a turn begins, with their price', () => {
  const before: Command[] = [{ type: 'turn.begin' }, end(found('owls'))]
  expect(eventsOf(before, { type: 'turn.begin' })).toMatchObject([
    { type: 'turn.begun', turn: 2 },
    {
      type: 'tools_evicted',
      tools: ['owls_tool'],
      reason: 'turns',
      tokensFreed: 10,
      prefixLost: 7,
    },
  ])
})

test('a found tool that is also exposed by its skill frees nothing when it is evicted', () => {
  const before: Command[] = [
    { type: 'turn.begin' },
    end(found('owls')),
    { type: 'skill.activate', skill: 'owls' },
  ]
  const priceOf = (tools: readonly string[]) => ({ tokensFreed: tools.length, prefixLost: 0 })
  expect(eventsOf(before, { type: 'turn.begin' }, { ...CONTEXT, priceOf }).at(-1)).toMatchObject({
    type: 'tools_evicted',
    tokensFreed: 0,
  })
})

test('rules that were sent are sent again only when they changed', () => {
  const send = (hash: string): Command => ({
    type: 'rules.send',
    topics: [{ topic: 'pages', hash: `sha256:${hash}` }],
  })
  expect(typesOf([], send('1'))).toEqual(['rules.sent'])
  expect(typesOf([send('1')], send('1'))).toEqual([])
  expect(typesOf([send('1')], send('2'))).toEqual(['rules.sent'])
})

test('an active skill is not activated again by a call, and the call is not refused', () => {
  const again: Command = { type: 'skill.activate', skill: 'owls', unlessActive: true }
  expect(typesOf([], again)).toEqual(['source.opened'])
  expect(typesOf([again], again)).toEqual([])
})
