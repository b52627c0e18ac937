import { expect, test } from 'vitest'
import type { FoundTool } from '../../../src/engine/model/discovery-event.ts'
import type { Entry, WorkspaceEvent } from '../../../src/engine/model/workspace-event.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import type { WorkspaceState } from '../../../src/engine/model/workspace-state.ts'

type Result = Extract<WorkspaceEvent, { type: 'tool_discovery_result' }>

const after = (...events: WorkspaceEvent[]): WorkspaceState =>
  fold(
    events.map((event, seq): Entry => ({ seq, at: seq, cause: { by: 'model', call: 'c' }, event })),
  )

const tool = (name: string, more: Partial<FoundTool> = {}): FoundTool => ({
  name,
  owner: 'a',
  source: 'skill',
  hash: `sha256:${name}`,
  ...more,
})
const enabled = (...tools: FoundTool[]): WorkspaceEvent => ({
  type: 'tools_enabled',
  search: 's',
  tools,
  latencyMs: 1,
  hitRate: null,
})
const called = (name: string): WorkspaceEvent => ({
  type: 'call.started',
  call: name,
  tool: name,
  source: 'skill',
  owner: 'a',
  hash: `sha256:${name}`,
  digest: 'sha256:0',
  category: 'retrieval',
  caller: 'model',
  confirmation: null,
})
const turn = (number: number): WorkspaceEvent => ({ type: 'turn.begun', turn: number })
const result = (query: string, more: Partial<Result> = {}): WorkspaceEvent => ({
  type: 'tool_discovery_result',
  search: 's',
  query,
  found: [],
  skills: [],
  confidence: 0,
  route: 'lexical',
  latencyMs: 1,
  stopped: null,
  degraded: null,
  ...more,
})
const putAway = (owner: string): WorkspaceEvent => ({
  type: 'source.closed',
  source: 'skill',
  owner,
  names: null,
})

test.each<{ what: string; events: WorkspaceEvent[]; leaves: object }>([
  {
    what: 'a finding',
    events: [turn(2), enabled(tool('x'))],
    leaves: {
      found: [{ name: 'x', since: 1, turn: 2, lastTurn: 2, lastSeq: 1, called: false }],
      enabled: { tools: 1, called: 0 },
    },
  },
  {
    what: 'a finding before the first turn',
    events: [enabled(tool('x'))],
    leaves: { found: [{ turn: 1, lastTurn: 1 }] },
  },
  {
    what: 'two calls of a found tool',
    events: [enabled(tool('x'), tool('y')), turn(3), called('x'), called('x')],
    leaves: {
      found: [
        { name: 'x', turn: 1, lastTurn: 3, lastSeq: 3, called: true },
        { name: 'y', lastTurn: 1, lastSeq: 0, called: false },
      ],
      enabled: { tools: 2, called: 1 },
    },
  },
  {
    what: 'finding it again',
    events: [enabled(tool('x'), tool('y')), called('x'), turn(2), enabled(tool('x'))],
    leaves: {
      found: [{ name: 'x', since: 0, turn: 2, lastSeq: 3, called: true }, { name: 'y' }],
      enabled: { tools: 2, called: 1 },
    },
  },
  {
    what: 'finding another definition of it',
    events: [enabled(tool('x')), called('x'), enabled(tool('x', { hash: 'sha256:2' }))],
    leaves: {
      found: [{ name: 'x', hash: 'sha256:2', since: 2, called: false }],
      enabled: { tools: 2, called: 1 },
    },
  },
  {
    what: 'forgetting it, and finding it again',
    events: [
      enabled(tool('__proto__'), tool('y')),
      { type: 'tools_evicted', tools: ['y'], reason: 'cap', tokensFreed: 0, prefixLost: 0 },
      enabled(tool('y')),
    ],
    leaves: {
      found: [
        { name: '__proto__', since: 0 },
        { name: 'y', since: 2 },
      ],
      enabled: { tools: 3 },
    },
  },
  {
    what: 'searches, but for those that were not made',
    events: [
      result('Find PAGES!'),
      result('find pages', { stopped: 'same-query' }),
      result('images', { skills: ['images'] }),
      result('nothing', { stopped: 'empty-results' }),
    ],
    leaves: {
      searches: [
        { query: 'find pages', empty: true, seq: 0 },
        { query: 'images', empty: false, seq: 2 },
        { query: 'nothing', empty: true, seq: 3 },
      ],
    },
  },
  {
    what: 'skills the model deactivated',
    events: [putAway('a'), putAway('b'), putAway('a')],
    leaves: {
      flaps: [
        { skill: 'b', times: 1 },
        { skill: 'a', times: 2 },
      ],
    },
  },
  {
    what: 'a new turn',
    events: [result('x'), putAway('a'), turn(1)],
    leaves: { searches: [], flaps: [] },
  },
  {
    what: 'rules sent, and sent again when they changed',
    events: [
      { type: 'rules.sent', topics: [{ topic: 'pages', hash: 'sha256:1' }] },
      { type: 'rules.sent', topics: [{ topic: 'images', hash: 'sha256:2' }] },
      { type: 'rules.sent', topics: [{ topic: 'pages', hash: 'sha256:3' }] },
    ],
    leaves: {
      rulesSent: [
        { topic: 'images', hash: 'sha256:2' },
        { topic: 'pages', hash: 'sha256:3' },
      ],
    },
  },
])('$what leaves what it says', ({ events, leaves }) => {
  expect(after(...events)).toMatchObject(leaves)
})

test('repeated searches do not fill the state', () => {
  const events = Array.from({ length: 100 }, (_, index) => result(`query ${index}`))
  const { searches } = after(...events)
  expect(searches).toHaveLength(20)
  expect(searches.at(-1)?.query).toBe('query 99')
})

test('a log without discovery events folds to the same state as before', () => {
  const before = after(
    called('x'),
    {
      type: 'call.ended',
      call: 'x',
      tool: 'x',
      ok: true,
      error: null,
      durationMs: 1,
      intents: [],
    },
    putAway('a'),
  )
  expect(before).toMatchObject({
    used: [{ tool: 'x', count: 1, lastTurn: 1, lastResult: 'success', before: null }],
    found: [],
    memory: { entities: [], summary: null },
    extractions: [],
  })
})
