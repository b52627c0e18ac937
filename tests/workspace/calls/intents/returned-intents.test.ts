import {
  defineIntent,
  IntentType,
  StateController,
  succeed,
  type Intent,
  type IntentDefinition,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ReturnedIntent } from '../../../../src/tools/intents/intent.ts'
import { aTool, aWorkspace } from '../../a-workspace.ts'

const handOff = defineIntent({
  type: 'HAND_OFF',
  when: 'after-turn',
  payload: z.object({ queue: z.enum(['billing', 'sales']) }),
})

const returning = (intents: readonly ReturnedIntent[]) =>
  aTool('ask', { execute: () => succeed('done', { intents }) })

async function warnings(
  intents: readonly ReturnedIntent[],
  own: readonly IntentDefinition[] = [handOff],
) {
  const workspace = await aWorkspace({}, { tools: [returning(intents)], intents: own })
  const response = await workspace.callTool('ask', {})
  expect(response).toMatchObject({ ok: true, data: 'done' })
  const given = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'warning.given' ? `${event.subject} ${event.code}: ${event.message}` : [],
  )
  return { given, taken: response.ok ? response.intents : [], pending: workspace.state.intents }
}

test('an intent is accepted unchanged, with the call that returned it', async () => {
  const intents = [
    handOff.intent({ queue: 'sales' }),
    { type: 'SUPPRESS_AUDIO', when: 'now' } as const,
  ]
  const { given, taken, pending } = await warnings(intents)
  expect(given).toEqual([])
  expect(taken).toEqual(intents)
  expect(pending).toMatchObject([
    { id: '3.0', tool: 'ask', turn: 0, ...intents[0], taken: null },
    { id: '3.1', tool: 'ask', turn: 0, ...intents[1], taken: null },
  ])
})

test('a message at the top of an intent is its payload', async () => {
  const { given, taken } = await warnings([
    { type: 'SET_PENDING_MESSAGE', message: 'Welcome back.' } as ReturnedIntent,
  ])
  expect(given).toEqual([])
  expect(taken).toEqual([
    { type: 'SET_PENDING_MESSAGE', when: 'next-turn', payload: { message: 'Welcome back.' } },
  ])
})

test.each<{ what: string; intent: Intent; told: string }>([
  {
    what: 'of an unknown type',
    intent: { type: 'HANDOFF', when: 'after-turn' },
    told: 'ask intent-unknown: The session knows no intent "HANDOFF".',
  },
  {
    what: 'named like a member of every object',
    intent: { type: '__proto__', when: 'now' },
    told: 'ask intent-unknown: The session knows no intent "__proto__".',
  },
  {
    what: 'for another moment',
    intent: { type: 'HAND_OFF', when: 'now', payload: { queue: 'sales' } },
    told: 'ask intent-moment: The intent "HAND_OFF" is applied after-turn, and it was returned for "now".',
  },
  {
    what: 'without the payload it needs',
    intent: { type: 'SET_PENDING_MESSAGE', when: 'next-turn' },
    told: 'ask intent-payload: The payload of the intent "SET_PENDING_MESSAGE" is not valid: /message is required.',
  },
  {
    what: 'with a wrong payload',
    intent: { type: 'HAND_OFF', when: 'after-turn', payload: { queue: 'nobody' } },
    told: 'ask intent-payload: The payload of the intent "HAND_OFF" is not valid: /queue Invalid option: expected one of "billing"|"sales".',
  },
  {
    what: 'with a payload it does not take',
    intent: { type: 'SUPPRESS_AUDIO', when: 'now', payload: { ms: 5 } },
    told: 'ask intent-payload: The payload of the intent "SUPPRESS_AUDIO" is not valid: /ms "ms" is unknown; known here: "reason".',
  },
  {
    what: 'with a payload that is too large',
    intent: { type: 'SUPPRESS_AUDIO', when: 'now', payload: { reason: 'x'.repeat(17_000) } },
    told: 'ask intent-payload: The payload of the intent "SUPPRESS_AUDIO" has 17013 characters, over the limit of 16384.',
  },
])('an intent $what is dropped with a warning, and the result counts', async ({ intent, told }) => {
  const { given, taken, pending } = await warnings([intent])
  expect(given).toEqual([told])
  expect(taken).toEqual([])
  expect(pending).toEqual([])
})

test('an intent without a moment takes that of its definition', async () => {
  const { given, taken } = await warnings([
    { type: 'HAND_OFF', payload: { queue: 'sales' } },
    { type: 'SUPPRESS_AUDIO' },
  ])
  expect(given).toEqual([])
  expect(taken).toEqual([
    { type: 'HAND_OFF', when: 'after-turn', payload: { queue: 'sales' } },
    { type: 'SUPPRESS_AUDIO', when: 'now' },
  ])
})

test.each<{ what: string; intents: unknown; told: string }>([
  {
    what: 'null',
    intents: [null],
    told: 'ask intent-malformed: It returned an intent that is not an object with a type.',
  },
  {
    what: 'a number as type',
    intents: [{ type: 7, when: 'now' }],
    told: 'ask intent-malformed: It returned an intent that is not an object with a type.',
  },
  {
    what: 'no list',
    intents: 'now',
    told: 'ask intent-malformed: It returned an intent that is not an object with a type.',
  },
  {
    what: 'a payload that JSON cannot carry',
    intents: [{ type: 'SUPPRESS_AUDIO', payload: { n: 1n } }],
    told: 'ask intent-malformed: It returned an intent that is not an object with a type.',
  },
  {
    what: 'an unknown moment',
    intents: [{ type: 'SUPPRESS_AUDIO', when: 'soon' }],
    told: 'ask intent-moment: The intent "SUPPRESS_AUDIO" is applied now, and it was returned for "soon".',
  },
])(
  '$what as an intent is dropped, and the result and the other intents count',
  async ({ intents, told }) => {
    const others = Array.isArray(intents)
      ? [...intents, handOff.intent({ queue: 'sales' })]
      : intents
    const { given, taken } = await warnings(others as readonly Intent[])
    expect(given).toEqual([told])
    expect(taken).toMatchObject(Array.isArray(intents) ? [{ type: 'HAND_OFF' }] : [])
  },
)

test('data with a member "intents" is data, and what JSON cannot carry in it is an error', async () => {
  const odd = aTool('ask', { execute: () => ({ intents: [1n] }) })
  const workspace = await aWorkspace({}, { tools: [odd] })
  expect(await workspace.callTool('ask', {})).toMatchObject({ error: { type: 'BAD_OUTPUT' } })
})

test('a check that throws drops the intent alone', async () => {
  const odd = defineIntent({
    type: 'ODD',
    when: 'now',
    payload: z.object({}).refine(() => {
      throw new Error('broken refinement')
    }),
  })
  const { given, taken } = await warnings(
    [odd.intent({}), handOff.intent({ queue: 'sales' })],
    [odd, handOff],
  )
  expect(given).toEqual([
    'ask intent-payload: The payload of the intent "ODD" could not be checked (broken refinement).',
  ])
  expect(taken).toMatchObject([{ type: 'HAND_OFF' }])
})

test('too many intents of one result are cut, with one warning', async () => {
  const many = Array.from({ length: 500 }, () => ({ type: 'SUPPRESS_AUDIO', when: 'now' }) as const)
  const { given, taken } = await warnings(many)
  expect(taken).toHaveLength(20)
  expect(given).toEqual([
    'ask intent-too-many: It returned 500 intents; those after the first 20 are dropped.',
  ])
})

test('dropped and unapplied intents are reported by health', async () => {
  const workspace = await aWorkspace(
    {},
    {
      tools: [returning([handOff.intent({ queue: 'sales' }), { type: 'X', when: 'now' }])],
      intents: [handOff],
    },
  )
  await workspace.callTool('ask', {})
  await workspace.endTurn()
  const controller = new StateController(workspace)
  await controller.settled()
  await controller.close()
  expect((await workspace.figures.health()).intents).toEqual({
    dropped: { 'intent-unknown': 1 },
    failed: { 'no-handler': 1 },
  })
})

test('a failed call has no intents', async () => {
  const failing = aTool('ask', {
    execute: () => ({ ok: false, error: { type: 'PERMANENT', message: 'no' } }),
  })
  const workspace = await aWorkspace({}, { tools: [failing] })
  expect(await workspace.callTool('ask', {})).toMatchObject({ ok: false })
  expect(workspace.state.intents).toEqual([])
})

test('intents nobody applies make room for newer ones, and the log says so', async () => {
  const nine = Array.from({ length: 9 }, () => ({ type: 'SUPPRESS_AUDIO', when: 'now' }) as const)
  const workspace = await aWorkspace({}, { tools: [returning(nine)] })
  for (let call = 0; call < 12; call += 1) await workspace.callTool('ask', {})
  expect(workspace.state.intents).toHaveLength(100)
  const failed = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'intent.failed' ? [event] : [],
  )
  expect(failed).toHaveLength(8)
  expect(failed[0]).toMatchObject({ id: '3.0', code: 'queue-full', intent: 'SUPPRESS_AUDIO' })
})

test('intents of logs from before they waited are not applied now', async () => {
  const { fold } = await import('../../../../src/engine/evolve/evolve.ts')
  const workspace = await aWorkspace(
    {},
    { tools: [returning([{ type: 'SUPPRESS_AUDIO', when: 'now' }])] },
  )
  await workspace.callTool('ask', {})
  const before = (await workspace.entries()).map((entry) =>
    entry.event.type === 'call.ended'
      ? { ...entry, event: { ...entry.event, intentsWait: undefined as never } }
      : entry,
  )
  expect(fold(before).intents).toEqual([])
})

test('a host may redefine a built-in intent, and no type twice', async () => {
  const loud = defineIntent({ type: IntentType.SUPPRESS_AUDIO, when: 'after-turn' })
  const { taken } = await warnings([loud.intent()], [loud])
  expect(taken).toEqual([{ type: 'SUPPRESS_AUDIO', when: 'after-turn' }])
  await expect(aWorkspace({}, { intents: [handOff, handOff] })).rejects.toMatchObject({
    code: 'INTENT_DUPLICATE',
  })
})
