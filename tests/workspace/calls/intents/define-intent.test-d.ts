import { defineIntent, type Intent, type IntentDefinition, type WorkspaceOptions } from 'loadout'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const bare = defineIntent({ type: 'BARE', when: 'now' })
const full = defineIntent({
  type: 'FULL',
  when: 'now',
  payload: z.object({ queue: z.enum(['a', 'b']), times: z.number().optional() }),
})
const plain = defineIntent({ type: 'PLAIN', when: 'next-turn', payload: { type: 'object' } })

test('an intent is made with the payload of its schema', () => {
  expectTypeOf(full.intent({ queue: 'a' })).toEqualTypeOf<Intent>()
  // @ts-expect-error the queue is none of the two
  full.intent({ queue: 'c' })
  // @ts-expect-error there has to be a payload
  full.intent()
})

test('one without a payload takes none', () => {
  expectTypeOf(bare.intent()).toEqualTypeOf<Intent>()
  // @ts-expect-error it has no payload
  bare.intent({ any: 'thing' })
})

test('plain JSON Schema says nothing of the type', () => {
  expectTypeOf(plain.intent({ any: 'thing' })).toEqualTypeOf<Intent>()
})

test('a session takes definitions of all kinds', () => {
  expectTypeOf<IntentDefinition<{ queue: 'a' }>>().toExtend<
    NonNullable<WorkspaceOptions['intents']>[number]
  >()
  expectTypeOf([bare, full, plain]).toExtend<NonNullable<WorkspaceOptions['intents']>>()
})
