import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type ComponentToolContext,
  defineComponent,
} from '../../src/components/define-component.ts'
import { defineTool } from '../../src/tools/define-tool.ts'

type Notes = { readonly lines: readonly string[] }

const spec = {
  key: 'notes',
  initialState: { lines: [] } as Notes,
  tools: [],
  panel: ({ lines }: Notes) => ({ title: 'Notes', lines }),
}

const notes = defineComponent({
  ...spec,
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Keep a note.',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }, { update }) => update(({ lines }) => ({ lines: [...lines, text] })),
    }),
  ],
})

test('handlers replace the state, and the panel shows it', async () => {
  let state: Notes = notes.initialState
  const context = {
    update: async (next: (state: Notes) => Notes) => (state = next(state)),
  } as ComponentToolContext<Notes>
  const [add] = notes.tools
  await add?.execute?.({ text: 'Buy milk.' }, context as never)
  expect(notes.panel(state)).toEqual({ title: 'Notes', lines: ['Buy milk.'] })
  expect(notes.initialState).toEqual({ lines: [] })
})

test('what is left out: the key as name, no description, the state itself as export', () => {
  const component = defineComponent(spec)
  expect(component).toMatchObject({ displayName: 'notes', description: '', tools: [] })
  const state = { lines: ['a'] }
  expect(component.exportState(state)).toBe(state)
  expect(component.restoreState(state)).toEqual(state)
  expect(component.restoreState(state)).not.toBe(state)
})

test('export and restore of its own are used', () => {
  const component = defineComponent({
    ...spec,
    exportState: ({ lines }) => lines.join('\n'),
    restoreState: (exported) => ({ lines: String(exported).split('\n') }),
  })
  expect(component.exportState({ lines: ['a', 'b'] })).toBe('a\nb')
  expect(component.restoreState('a\nb')).toEqual({ lines: ['a', 'b'] })
})

test('null is a state like others', () => {
  const component = defineComponent<string | null>({
    ...spec,
    initialState: 'a',
    panel: (state) => ({ title: state ?? 'none', lines: [] }),
    exportState: () => null,
    restoreState: () => null,
  })
  expect(component.exportState('a')).toBeNull()
  expect(component.restoreState('a')).toBeNull()
})

test('the state of a new session is a frozen copy', () => {
  const initialState = { lines: ['a'] }
  const component = defineComponent({ ...spec, initialState })
  initialState.lines.push('b')
  expect(component.initialState).toEqual({ lines: ['a'] })
  expect(Object.isFrozen(component.initialState.lines)).toBe(true)
})

test('a method may use the other members of its component, also when it is taken out of it', () => {
  const { panel } = defineComponent({
    ...spec,
    displayName: 'My notes',
    panel({ lines }) {
      return { title: this.displayName ?? '', lines }
    },
  })
  expect(panel({ lines: [] }).title).toBe('My notes')
})

describe('a component that is defined wrongly is refused', () => {
  const twin = defineTool({ name: 'add_note', description: 'Keep a note.' })

  test.each<[string, object]>([
    ['key', { key: 'a/b' }],
    ['displayName', { displayName: '' }],
    ['initialState', { initialState: undefined }],
    ['initialState', { initialState: { at: () => 1 } }],
    ['initialState', { initialState: { count: Number.NaN } }],
    ['tools', { tools: 'all' }],
    ['tools', { tools: [twin, twin] }],
    ['panel', { panel: { title: 'Notes' } }],
    ['restoreState', { restoreState: 'yes' }],
    ['render', { render: () => '' }],
  ])('%s: %o', (field, change) => {
    expect(() => defineComponent({ ...spec, ...change })).toThrow(
      expect.objectContaining({
        code: 'COMPONENT_INVALID',
        facts: { component: expect.anything(), field },
      }),
    )
  })

  test('without tools it says what they are', () => {
    const bare: object = { key: 'bare', initialState: 1, panel: () => ({ title: '', lines: [] }) }
    expect(() => defineComponent(bare as typeof spec)).toThrow(
      'Component "bare", field "tools": must be a list of tools, or a function that makes one.',
    )
  })

  test('restoring what is not JSON is refused by name', () => {
    const broken = defineComponent({ ...spec, restoreState: () => 1n as never })
    expect(() => broken.restoreState({})).toThrow(
      expect.objectContaining({ facts: { component: 'notes', field: 'restoreState' } }),
    )
  })
})

test.each<[field: string, meant: string]>([
  ['name', 'key'],
  ['id', 'key'],
  ['title', 'displayName'],
  ['state', 'initialState'],
  ['render', 'panel'],
  ['tool', 'tools'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  expect(() => defineComponent({ ...spec, [field]: 'x' })).toThrow(
    expect.objectContaining({
      code: 'COMPONENT_INVALID',
      message: `Component "notes": "${field}" is not a field of a component.`,
      hint: `Did you mean "${meant}"?`,
    }),
  )
})
