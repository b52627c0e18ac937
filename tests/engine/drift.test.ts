import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { assess } from '../../src/engine/standing/assess.ts'
import type { Command } from '../../src/engine/model/command.ts'
import { decide } from '../../src/engine/decide/decide.ts'
import type { WorkspaceState } from '../../src/engine/model/workspace-state.ts'
import type { EngineContext } from '../../src/engine/model/engine-context.ts'
import { textHash } from '../../src/kernel/content-hash.ts'
import { bindTool } from '../../src/tools/definition/make-tool.ts'
import type { Tool, ToolDefinition } from '../../src/tools/definition/tool.ts'
import { contextOf, OPENING, order, stateAfter } from './a-session.ts'

const text = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => one.trim() !== '')
const name = fc.constantFrom('pay', 'ship', 'look_up', 'constructor', '__proto__')
const texts = fc.array(text, { maxLength: 3 })
const schema = fc
  .record({
    members: fc.dictionary(name, fc.record({ type: fc.constant('string'), description: text })),
    title: text,
    closed: fc.boolean(),
  })
  .map(({ members, title, closed }) => {
    // As parsed JSON has it: a member named __proto__ is one like any other.
    const json = JSON.stringify({ type: 'object', properties: members, title })
    return { ...JSON.parse(json), additionalProperties: !closed }
  })

/** A value of every field that a model may read or policy decides on; a forgotten one does not compile. */
const FIELDS: {
  [Field in Exclude<keyof ToolDefinition, 'byDefault' | 'annotations'>]: fc.Arbitrary<unknown>
} = {
  name: fc.constant('refund'),
  description: text,
  version: fc.constantFrom('1.0.0', '1.0.1', '2.0.0'),
  category: fc.constantFrom('retrieval', 'action', 'utility'),
  topic: text,
  risk: fc.constantFrom('safe', 'moderate', 'destructive'),
  modes: fc.constantFrom(['text'], ['text', 'voice']),
  phrases: texts,
  related: fc.array(name, { maxLength: 2 }),
  summary: text,
  documentation: text,
  guidance: fc.record({ before: text, after: text, pitfalls: texts }),
  requiresConfirmation: fc.boolean(),
  idempotent: fc.boolean(),
  background: fc.boolean(),
  polling: fc.boolean(),
  latencyMs: fc.integer({ min: 1, max: 9 }),
  extraction: fc.record({ path: text, type: text, nameField: text, isArray: fc.boolean() }),
  inputSchema: schema,
  outputSchema: schema,
  inputExamples: fc.array(fc.record({ input: fc.record({ order: text }) }), { maxLength: 2 }),
  strict: fc.boolean(),
  providerOptions: fc.record({ anthropic: fc.record({ deferLoading: fc.boolean() }) }),
}

const OPTIONAL = [
  'topic',
  'modes',
  'documentation',
  'guidance',
  'background',
  'polling',
  'latencyMs',
  'extraction',
  'outputSchema',
  'inputExamples',
  'strict',
  'providerOptions',
] as const

const definition = fc.record(FIELDS, {
  requiredKeys: (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).filter(
    (field) => !OPTIONAL.some((one) => one === field),
  ),
}) as fc.Arbitrary<ToolDefinition>

/** A definition, and the same with one field changed, added or taken away. */
const oneField = definition.chain((before) => {
  const changeable = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).filter(
    (field) => field !== 'name',
  )
  return fc.constantFrom(...changeable).chain((field) => {
    const gone = OPTIONAL.some((one) => one === field) ? [fc.constant(undefined)] : []
    return fc
      .oneof(FIELDS[field], ...gone)
      .map((value) => ({ before, field, after: { ...before, [field]: value } as ToolDefinition }))
      .filter(({ after }) => !sameJson(before[field], after[field]))
  })
})

function sameJson(one: unknown, other: unknown): boolean {
  return bySortedKeys(one) === bySortedKeys(other)
}

function bySortedKeys(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
      : inner,
  )
}

/** The keys of a value, and of all inside it, in another order. */
function reordered(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, turn))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, member]) => [key, reordered(member, turn)] as const,
  )
  const cut = entries.length === 0 ? 0 : turn % entries.length
  return Object.fromEntries([...entries.slice(cut), ...entries.slice(0, cut)].reverse())
}

const run = () => 'done'
const DIGEST = textHash('{}')

let empty: EngineContext

beforeAll(async () => {
  empty = await contextOf({})
})

function knowing(...tools: readonly Tool[]): EngineContext {
  const byHash = new Map(tools.map((tool) => [tool.hash, tool]))
  return { ...empty, bound: ({ hash }) => byHash.get(hash), tool: (hash) => byHash.get(hash) }
}

const register = (tool: Tool, trusted: boolean): Command => ({
  type: 'source.register',
  source: 'global',
  owner: 'global',
  tools: [tool],
  onConflict: 'refuse',
  replace: true,
  ...(!trusted && { trusted: false }),
})

const call = (tool: Tool): Command => ({
  type: 'call.start',
  call: 'c',
  tool: 'refund',
  hash: tool.hash,
  since: 1,
  input: { ok: true, digest: DIGEST },
  caller: 'model',
  confirmationMs: 60_000,
})

/** A tool that is held to its definition: because nobody trusts it, or because somebody approved it. */
function held(tool: Tool, trusted: boolean, context: EngineContext): WorkspaceState {
  const { policy } = OPENING
  const asking = {
    ...OPENING,
    policy: { ...policy, ask: ['refund'] },
  } as typeof OPENING
  const registered = stateAfter(context, [asking, register(tool, trusted)])
  if (!trusted) return registered
  return stateAfter(
    context,
    [call(tool), { type: 'confirmation.approve', id: 'f'.repeat(32), remember: 'session' }],
    registered,
  )
}

function statusOf(state: WorkspaceState, context: EngineContext): string {
  return assess(state, context, 'refund').status
}

test.each([{ trusted: false }, { trusted: true }])(
  'a change of any one field is noticed before a call (trusted: $trusted)',
  ({ trusted }) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(oneField, ({ before, field, after }) => {
        const [old, now] = [bindTool(before, run), bindTool(after, run)]
        const context = knowing(old, now)
        const state = stateAfter(
          context,
          // The rest of an older version must not replace it.
          [
            { type: 'source.unregister', source: 'global', owner: 'global' },
            register(now, trusted),
          ],
          held(old, trusted, context),
        )
        expect(statusOf(state, context)).toBe('changed')
        const decision = decide(state, order(call(now)), context)
        expect(decision).toMatchObject({ kind: 'refused', refusal: { code: 'changed' } })
        seen.add(field)
      }),
      { numRuns: 500 },
    )
    expect(seen.size).toBe(Object.keys(FIELDS).length - 1)
  },
)

test('another order of keys is no change, and approvals stay valid', () => {
  fc.assert(
    fc.property(definition, fc.nat(7), fc.boolean(), (before, turn, trusted) => {
      const old = bindTool({ ...before, modes: ['text'] }, run)
      const after = reordered({ ...before, modes: ['text'] }, turn) as ToolDefinition
      const now = bindTool(after, run)
      const context = knowing(old, now)
      const state = stateAfter(context, [register(now, trusted)], held(old, trusted, context))
      expect(now.hash).toBe(old.hash)
      expect(statusOf(state, context)).toBe('available')
    }),
    { numRuns: 1_000 },
  )
})

test('no approval is valid for a tool under another name', () => {
  fc.assert(
    fc.property(definition, (before) => {
      const old = bindTool({ ...before, modes: ['text'] }, run)
      const now = bindTool({ ...before, modes: ['text'], name: 'refund_all' }, run)
      const context = knowing(old, now)
      const state = stateAfter(
        context,
        [register(now, true), { type: 'policy.set', policy: { ...OPENING.policy, ask: ['*'] } }],
        held(old, true, context),
      )
      const given = { ...call(now), tool: 'refund_all' } as Command
      expect(decide(state, order(given), context)).toMatchObject({
        kind: 'refused',
        refusal: { code: 'confirmation-required' },
      })
    }),
  )
})
