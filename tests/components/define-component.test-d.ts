import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type ComponentToolContext,
  defineComponent,
  type ToolComponent,
} from '../../src/components/define-component.ts'

test('the type of the state comes from the initial one and reaches handlers and panel', () => {
  const counter = defineComponent({
    key: 'counter',
    initialState: { count: 0, label: 'a' },
    tools: (tool) => [
      tool({
        name: 'add',
        description: 'Count on.',
        inputSchema: z.object({ by: z.int() }),
        execute: async ({ by }, context) => {
          expectTypeOf(by).toEqualTypeOf<number>()
          expectTypeOf(context.state).toEqualTypeOf<{ count: number; label: string }>()
          const { count } = await context.update((state) => ({
            ...state,
            count: state.count + by,
          }))
          return count
        },
      }),
      tool({
        name: 'save',
        description: 'Save the count.',
        execute: (
          _,
          context: ComponentToolContext<{ count: number; label: string }, { db: string }>,
        ) => context.services.db,
      }),
    ],
    panel: ({ count, label }) => ({ title: label, lines: [String(count)] }),
  })
  expectTypeOf(counter).toEqualTypeOf<ToolComponent<{ count: number; label: string }>>()
  const list: readonly ToolComponent[] = [counter]
  expectTypeOf(list).items.toEqualTypeOf<ToolComponent>()
})

test('a state that JSON cannot carry is refused', () => {
  // @ts-expect-error -- a Date is not JSON
  defineComponent({ key: 'a', initialState: { at: new Date() }, tools: [], panel: () => panel })
})

const panel = { title: '', lines: [] }

test('unknown fields of a component are type errors', () => {
  // @ts-expect-error -- the field is panel
  defineComponent({ key: 'a', initialState: 1, tools: [], panel: () => panel, render: () => panel })
  defineComponent({
    key: 'a',
    initialState: 1,
    // @ts-expect-error -- the field of a tool is execute
    tools: (tool) => [tool({ name: 'add', description: 'Count on.', run: () => 1 })],
    panel: () => panel,
  })
})
