import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  defineTool,
  VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'

const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: `Does ${name}.`, execute: () => name, ...more })

const catalog = await createCatalog({
  tools: [tool('read'), tool('write'), tool('speak', { modes: ['voice'] })],
})

test('a read-only session shows the policy it had', async () => {
  const log = createMemoryLog()
  const options = { catalog, log, session: 's' }
  const live = await VirtualWorkspace.open({
    ...options,
    policy: { permissions: { deny: ['write'], ask: ['read'] } },
  })
  const looking = await VirtualWorkspace.open({ ...options, readOnly: true })
  expect(looking.explain('write')).toEqual(live.explain('write'))
  expect(looking.explain('write').status).toBe('denied')
  expect(looking.tools().map(({ name, status, asks }) => [name, status, asks])).toEqual(
    live.tools().map(({ name, status, asks }) => [name, status, asks]),
  )
})

test('a session keeps its policy when it is resumed, and a new one is an entry', async () => {
  const log = createMemoryLog()
  const options = { catalog, log, session: 's' }
  await VirtualWorkspace.open({
    ...options,
    policy: { mode: 'voice', permissions: { deny: ['write'] } },
  })

  const kept = await VirtualWorkspace.open(options)
  expect(await kept.entries()).toHaveLength(2)
  expect(kept.explain('speak').status).toBe('available')
  expect(kept.explain('write').status).toBe('denied')

  const changed = await VirtualWorkspace.open({ ...options, policy: { mode: 'text' } })
  expect((await changed.entries(2)).map(({ event }) => event.type)).toEqual(['policy.changed'])
  expect(changed.explain('write').status).toBe('denied')
  expect(changed.explain('speak')).toMatchObject({
    status: 'blocked-by-mode',
    because: [{ seq: 1 }, { seq: 2, text: expect.stringContaining('this session is in "text"') }],
  })
})

test('a component that was unregistered stays so when the session is resumed', async () => {
  const notes = defineComponent({
    key: 'notes',
    initialState: null,
    tools: [tool('note')],
    panel: () => ({ title: 'Notes', lines: [] }),
  })
  const log = createMemoryLog()
  const options = { catalog: await createCatalog({ components: [notes] }), log, session: 's' }
  const first = await VirtualWorkspace.open(options)
  await first.unregisterComponent('notes')
  const again = await VirtualWorkspace.open(options)
  expect(again.isToolAvailable('note')).toBe(false)
  expect(await again.registerComponent(notes)).toMatchObject({ ok: true })
})
