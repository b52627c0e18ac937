import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cause } from '../../../src/engine/model/cause.ts'
import type { Entry, EventType, WorkspaceEvent } from '../../../src/engine/model/workspace-event.ts'
import { evolve, fold } from '../../../src/engine/evolve/evolve.ts'
import { EMPTY_STATE } from '../../../src/engine/model/workspace-state.ts'

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString')
const hash = fc.constantFrom('sha256:1', 'sha256:2') as fc.Arbitrary<`sha256:${string}`>
const source = fc.constantFrom('component', 'skill', 'global', 'server')
const text = fc.string({ maxLength: 8 })
const count = fc.nat(9)
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)))
const claim = fc.record({
  name,
  definedAs: name,
  hash,
  version: fc.constantFrom('1.0.0', '2.0.0'),
  onConflict: fc.constantFrom('refuse', 'shadow', 'namespace'),
  bound: fc.boolean(),
  trusted: fc.constantFrom(undefined, false),
})
const claims = fc.array(claim, { maxLength: 3 })

const lifetime = fc.oneof(
  fc.constant('session'),
  fc.record({ uses: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ turns: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ idle: fc.integer({ min: 1, max: 3 }) }),
)
const found = fc.array(fc.record({ name, owner: name, source, hash }), { maxLength: 3 })
const policy = fc.record({
  mode: name,
  deny: fc.array(name, { maxLength: 2 }),
  ask: fc.array(name, { maxLength: 2 }),
  callsPerTurn: fc.constant({}),
})

const spending = fc.record({ steps: fc.nat(), tokens: fc.nat(), price: fc.nat(), lost: fc.nat() })

/** Every event there is, with members of any kind; a forgotten one does not compile. */
const members: { [Type in EventType]: Record<string, fc.Arbitrary<unknown>> } = {
  'session.opened': {
    format: fc.constant(1),
    session: name,
    agent: fc.option(name),
    catalog: hash,
    tokenizer: name,
    principal: fc.option(name),
    policy,
  },
  'catalog.taken': { catalog: hash, setup: hash, kept: fc.constantFrom([], ['a']) },
  'policy.changed': { policy },
  'child.opened': { child: name, agent: fc.option(name), call: fc.option(name), before: spending },
  'child.ended': { child: name, spent: spending },
  'skill.registered': { skill: name, definition: hash, trusted: fc.constant(false) },
  'skill.unregistered': { skill: name },
  'child.called': { child: name, tool: name, category: fc.constantFrom('retrieval', 'action') },
  'session.imported': {
    tools: fc.array(name),
    confirmations: fc.nat(),
    rules: fc.array(name),
    intents: fc.nat(),
  },
  'session.forked': { session: name, from: fc.record({ session: name, seq: fc.nat() }) },
  'source.opened': {
    source,
    owner: name,
    definition: fc.option(hash),
    claims,
    lifetime,
    requested: fc.boolean(),
  },
  'source.synced': {
    source: fc.constantFrom('component', 'server'),
    owner: name,
    claims,
    changed: fc.array(name, { maxLength: 2 }),
    quarantined: fc.array(name, { maxLength: 2 }),
    removed: fc.array(name, { maxLength: 2 }),
  },
  'source.kept': { owner: name, requested: fc.boolean(), lifetime },
  'source.closed': { source, owner: name, names: fc.option(fc.array(name, { maxLength: 2 })) },
  'source.accepted': { owner: name, definition: hash, claims },
  'tool.switched': { tool: name, enabled: fc.boolean() },
  'turn.begun': { turn: count },
  'turn.ended': { turn: count },
  'metrics.reset': {},
  'intent.taken': { id: name, intent: name, taker: name, until: count },
  'intent.applied': { id: name, intent: name },
  'intent.failed': {
    id: name,
    intent: name,
    code: fc.constantFrom('handler-failed', 'no-handler', 'interrupted', 'queue-full'),
    message: name,
  },
  'step.begun': {
    step: count,
    strategy: name,
    exposed: fc.array(fc.record({ name, hash }), { maxLength: 3 }),
    sections: fc.array(fc.record({ id: name, hash }), { maxLength: 3 }),
  },
  'step.answered': { step: count, history: name, stored: hash },
  'step.repeated': { history: name, attempt: fc.record({ number: count, step: count }) },
  'step.reported': {
    step: count,
    usage: fc.record({ input: count, cached: count, output: count }),
  },
  'session.compacted': {
    sections: fc.array(fc.record({ id: name, hash }), { maxLength: 3 }),
    rules: fc.array(fc.record({ topic: name, hash }), { maxLength: 3 }),
    tokens: count,
  },
  'component.updated': { component: name, state: json },
  'call.started': {
    call: name,
    tool: name,
    source,
    owner: name,
    hash,
    digest: hash,
    category: fc.constantFrom('retrieval', 'action', 'utility'),
    caller: fc.constantFrom('model', 'user', 'host', 'tool'),
    within: fc.constantFrom(undefined, 'a'),
    confirmation: fc.option(name),
  },
  'call.detached': { call: name, tool: name, caller: fc.constantFrom('model', 'host') },
  'call.retried': { call: name, tool: name, started: count },
  'call.ended': {
    call: name,
    tool: name,
    ok: fc.boolean(),
    error: fc.option(fc.constant('INTERNAL')),
    durationMs: count,
    intents: fc.constantFrom([], [{ type: 'SET_PENDING_MESSAGE', when: 'now', payload: [] }]),
    intentsWait: fc.constantFrom(undefined, true),
    attempts: fc.constantFrom(undefined, 2),
    result: fc.constantFrom(undefined, { ok: true, data: 1 }, { ok: false, message: 'no' }),
    entities: fc.array(fc.record({ type: name, id: name, name }), { maxLength: 5 }),
    extraction: fc.constantFrom(
      'extracted',
      'empty',
      'nothing-extracted',
      'unlike-schema',
      'threw',
    ),
  },
  'confirmation.asked': {
    id: name,
    tool: name,
    hash,
    digest: hash,
    principal: fc.option(name),
    expiresAt: count,
  },
  'confirmation.approved': { id: name },
  'confirmation.denied': { id: name },
  'confirmation.expired': { id: name },
  'approval.remembered': {
    source,
    owner: name,
    tool: name,
    hash,
    confirmation: name,
    scope: fc.constantFrom('session', 'digest'),
  },
  'approval.recalled': { source, owner: name, tool: name, hash },
  'approval.revoked': { source, owner: name, tool: name },
  'tool.accepted': { source, owner: name, tool: name, hash },
  'call.abandoned': { call: name, tool: name },
  'command.refused': { command: name, subject: name, code: name, message: text, hint: text },
  'warning.given': { code: name, subject: name, message: text, hint: text },
  'activation.failed': {
    skill: name,
    hook: fc.constantFrom('onActivate', 'onDeactivate'),
    wanted: name,
    message: text,
    undone: fc.array(name, { maxLength: 2 }),
    undoFailed: fc.array(name, { maxLength: 2 }),
  },
  'skill.broken': { skill: name, message: text },
  'fact.noted': {
    paths: fc.option(fc.array(text), { nil: undefined }),
    event: fc.option(name, { nil: undefined }),
  },
  tool_discovery_start: { search: name, query: text, limit: count },
  tool_discovery_result: {
    search: name,
    query: text,
    found,
    skills: fc.array(name, { maxLength: 2 }),
    confidence: fc.constant(0.5),
    route: fc.constantFrom('lexical', 'vectors', 'fused'),
    latencyMs: count,
    stopped: fc.option(fc.constantFrom('same-query', 'empty-results', 'flapping')),
    degraded: fc.option(text),
  },
  tools_enabled: { search: name, tools: found, latencyMs: count, hitRate: fc.option(count) },
  tools_evicted: {
    tools: fc.array(name, { maxLength: 2 }),
    reason: fc.constantFrom('turns', 'idle', 'cap'),
    tokensFreed: count,
    prefixLost: count,
  },
  'rules.sent': { topics: fc.array(fc.record({ topic: name, hash }), { maxLength: 2 }) },
  'extraction.drifted': {
    tool: name,
    call: name,
    what: fc.constantFrom('nothing-extracted', 'unlike-schema'),
    message: text,
  },
  'memory.summarised': { summary: fc.option(text) },
}

const event: fc.Arbitrary<WorkspaceEvent> = fc.oneof(
  ...Object.entries(members).map(
    ([type, of]) =>
      fc.record({ type: fc.constant(type), ...of }) as unknown as fc.Arbitrary<WorkspaceEvent>,
  ),
)
const cause: fc.Arbitrary<Cause> = fc.oneof(
  fc.constant<Cause>({ by: 'host' }),
  name.map((of): Cause => ({ by: 'dependency', of })),
)
const entries = fc
  .array(fc.record({ cause, event }), { maxLength: 40 })
  .map((drafts) => drafts.map((draft, seq): Entry => ({ seq, at: 0, ...draft })))

test('any events in any order fold to a state that JSON can represent', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const state = fold(given)
      expect(JSON.parse(JSON.stringify(state))).toEqual(state)
      expect(state.seq).toBe(given.length - 1)
    }),
    { numRuns: 500 },
  )
})

test('a fold may stop and resume anywhere, and mutates no state and no entry', () => {
  fc.assert(
    fc.property(entries, fc.nat(40), (given, at) => {
      const texts = JSON.stringify(given)
      const half = fold(given.slice(0, at))
      const text = JSON.stringify(half)
      expect(fold(given.slice(at), half)).toEqual(fold(JSON.parse(texts) as readonly Entry[]))
      expect(JSON.stringify(half)).toBe(text)
      expect(JSON.stringify(given)).toBe(texts)
    }),
  )
})

test('in any order of events an owner is never open twice, or open and closed at once', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const { open, closed, confirmations, calls } = fold(given)
      const owners = [...open, ...closed].map((one) => `${one.source}/${one.owner}`)
      expect(new Set(owners).size).toBe(owners.length)
      expect(new Set(calls.map(({ call }) => call)).size).toBe(calls.length)
      expect(confirmations.every(({ consent }) => consent !== undefined)).toBe(true)
    }),
  )
})

const entry = (seq: number, given: WorkspaceEvent): Entry => ({
  seq,
  at: 0,
  cause: { by: 'host' },
  event: given,
})
const opened = (owner: string, more: object = {}) =>
  ({
    type: 'source.opened',
    source: 'skill',
    owner,
    definition: 'sha256:1',
    claims: [
      { name: 'x', definedAs: 'x', hash: 'sha256:1', version: '1.0.0', onConflict: 'refuse' },
    ],
    lifetime: 'session',
    requested: true,
    ...more,
  }) as unknown as WorkspaceEvent
const started = (more: object = {}) =>
  ({
    type: 'call.started',
    call: 'c',
    tool: 'x',
    source: 'skill',
    owner: 'a',
    hash: 'sha256:1',
    digest: 'sha256:2',
    category: 'action',
    caller: 'host',
    confirmation: null,
    ...more,
  }) as unknown as WorkspaceEvent

test.each<{ what: string; events: WorkspaceEvent[]; leaves: object }>([
  {
    what: 'an opening',
    events: [opened('a', { lifetime: { uses: 2 } })],
    leaves: { open: [{ owner: 'a', usesLeft: 2, since: 0, claims: [{ name: 'x', since: 0 }] }] },
  },
  {
    what: 'a second opening of an owner',
    events: [
      opened('a'),
      opened('a', { claims: [{ name: 'y', definedAs: 'y', version: '1.0.0', hash: 'sha256:2' }] }),
    ],
    leaves: {
      open: [
        {
          since: 0,
          claims: [
            { name: 'x', since: 0 },
            { name: 'y', since: 1 },
          ],
        },
      ],
    },
  },
  {
    what: 'a closing',
    events: [
      opened('a'),
      { type: 'skill.broken', skill: 'a', message: 'no' },
      started(),
      { type: 'source.closed', source: 'skill', owner: 'a', names: null },
    ],
    leaves: { open: [], closed: [{ owner: 'a', seq: 3 }], broken: [], calls: [{ call: 'c' }] },
  },
  {
    what: 'an opening after a closing',
    events: [
      opened('a'),
      { type: 'source.closed', source: 'skill', owner: 'a', names: null },
      opened('a'),
    ],
    leaves: { open: [{ owner: 'a', since: 2 }], closed: [] },
  },
  {
    what: 'the closing of some names',
    events: [opened('a'), { type: 'source.closed', source: 'skill', owner: 'a', names: ['x'] }],
    leaves: { open: [{ owner: 'a', claims: [] }], closed: [] },
  },
  {
    what: 'an acceptance',
    events: [
      opened('a'),
      { type: 'skill.broken', skill: 'a', message: 'no' },
      { type: 'source.accepted', owner: 'a', definition: 'sha256:2', claims: [] },
    ],
    leaves: { open: [{ definition: 'sha256:2', claims: [], since: 0 }], broken: [] },
  },
  {
    what: 'a keeping',
    events: [
      opened('a', { requested: false }),
      { type: 'source.kept', owner: 'a', requested: true, lifetime: 'session' },
    ],
    leaves: { open: [{ requested: true }] },
  },
  {
    what: 'a switch off and on',
    events: [
      { type: 'tool.switched', tool: 'x', enabled: false },
      { type: 'tool.switched', tool: 'y', enabled: false },
      { type: 'tool.switched', tool: 'x', enabled: true },
    ],
    leaves: { disabled: [{ tool: 'y', seq: 1 }] },
  },
  {
    what: 'a call',
    events: [opened('a', { lifetime: { uses: 2 } }), started()],
    leaves: {
      open: [{ usesLeft: 1 }],
      calls: [{ call: 'c', since: 1 }],
      used: [{ tool: 'x', count: 1, lastSeq: 1 }],
      callsThisTurn: { retrieval: 0, action: 1, utility: 0 },
    },
  },
  {
    what: 'the end of a call',
    events: [
      started(),
      started({ call: 'd' }),
      {
        type: 'call.ended',
        call: 'c',
        tool: 't',
        ok: true,
        error: null,
        durationMs: 1,
        intents: [],
      },
    ],
    leaves: { calls: [{ call: 'd' }], used: [{ tool: 'x', count: 2, lastSeq: 1 }] },
  },
  {
    what: 'a turn',
    events: [started(), { type: 'turn.begun', turn: 4 }],
    leaves: { turn: 4, callsThisTurn: { retrieval: 0, action: 0, utility: 0 } },
  },
  {
    what: 'a state of a component',
    events: [
      { type: 'component.updated', component: 'b', state: 1 },
      { type: 'component.updated', component: 'b', state: 2 },
    ],
    leaves: { components: [{ key: 'b', state: 2, seq: 1 }] },
  },
  {
    what: 'the leaving of a component',
    events: [
      opened('b', { source: 'component' }),
      { type: 'component.updated', component: 'b', state: 1 },
      { type: 'source.closed', source: 'component', owner: 'b', names: null },
    ],
    leaves: { components: [], open: [] },
  },
])('$what leaves what it says', ({ events, leaves }) => {
  expect(fold(events.map((one, seq) => entry(seq, one)))).toMatchObject(leaves)
})

test.each<WorkspaceEvent>([
  { type: 'command.refused', command: 'x', subject: 'x', code: 'x', message: 'x', hint: 'x' },
  {
    type: 'activation.failed',
    skill: 'a',
    hook: 'onActivate',
    wanted: 'a',
    message: 'x',
    undone: [],
    undoFailed: [],
  },
])('$type changes no state', (given) => {
  expect(evolve(EMPTY_STATE, entry(0, given))).toEqual({ ...EMPTY_STATE, seq: 0 })
})
