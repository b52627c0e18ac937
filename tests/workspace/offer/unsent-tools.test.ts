import { defineComponent } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from '../a-workspace.ts'

const todo = defineComponent({
  key: 'todo',
  initialState: null,
  tools: () => [aTool('add_todo')],
  panel: () => ({ title: 'Todo', lines: [] }),
})

test.each(['active', 'append', 'deferred', 'bridge'] as const)(
  'under %s with search, the tools of a component whose panel is shown are sent from the start',
  async (exposure) => {
    const workspace = await aWorkspace(
      { components: [todo], tools: [aTool('lock_seat')] },
      { discovery: {}, exposure, provider: 'anthropic', metaTools: ['tool_search', 'call_tool'] },
    )
    expect(workspace.prompt().text).toContain('PANEL: Todo')
    const { tools, deferred } = await workspace.beginStep()
    const inFull = tools.flatMap(({ name }) => (deferred.has(name) ? [] : name))
    expect(inFull.toSorted()).toEqual(['add_todo', 'call_tool', 'tool_search'])
    expect(workspace.explain('add_todo')).toMatchObject({
      status: 'available',
      exposed: true,
      fix: '',
    })
    await workspace.unregisterComponent('todo')
    expect(workspace.isToolAvailable('add_todo')).toBe(false)
  },
)

test('an available tool that is found by search says that the model has not been sent it, and how it gets there', async () => {
  const workspace = await aWorkspace(
    { tools: [aTool('lock_seat')] },
    { discovery: {}, metaTools: ['tool_search'] },
  )
  expect(workspace.explain('lock_seat')).toMatchObject({ exposed: false })
  await workspace.beginStep()
  const { status, exposed, because, fix } = workspace.explain('lock_seat')
  expect({ status, exposed, because, fix }).toMatchInlineSnapshot(`
    {
      "because": [
        {
          "seq": 2,
          "text": "It was registered when the session opened.",
        },
        {
          "seq": 2,
          "text": "It has not been sent to the model, which finds such tools by search in this session.",
        },
      ],
      "exposed": false,
      "fix": "Find it with tool_search, or name it in the option "discovery.pinned" to send it from the start.",
      "status": "available",
    }
  `)
  await workspace.callTool('tool_search', { query: 'lock seat' }, { caller: 'model' })
  expect(workspace.explain('lock_seat')).toMatchObject({
    exposed: false,
    fix: 'Begin the next step: it sends the tool.',
  })
  await workspace.beginStep()
  expect(workspace.explain('lock_seat')).toMatchObject({ exposed: true, fix: '' })
})

test('a tool that came after the last step says so, and a call of it is judged by what is available', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('web')] })
  await workspace.activateSkill('web')
  expect(workspace.explain('web_tool')).toMatchObject({ exposed: false, fix: '' })
  await workspace.beginStep()
  expect(workspace.explain('web_tool')).toMatchObject({ exposed: true, fix: '' })
  await workspace.registerTool(aTool('late'))
  const { because, fix } = workspace.explain('late')
  expect({ because, fix }).toMatchInlineSnapshot(`
    {
      "because": [
        {
          "seq": 3,
          "text": "It was registered by the host.",
        },
        {
          "seq": 3,
          "text": "The request of step 1 did not carry it.",
        },
      ],
      "fix": "Begin the next step: it sends the tool.",
    }
  `)
  expect(await workspace.callTool('late', {}, { caller: 'model' })).toMatchObject({ ok: true })
})

test('behind a bridge, a tool outside of the request is called with call_tool', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('web')] },
    { discovery: {}, exposure: 'bridge', metaTools: ['tool_search', 'call_tool'] },
  )
  await workspace.activateSkill('web')
  await workspace.beginStep()
  const { exposed, because, fix } = workspace.explain('web_tool')
  expect({ exposed, because: because.at(-1), fix }).toMatchInlineSnapshot(`
    {
      "because": {
        "seq": 2,
        "text": "The request of step 1 did not carry it.",
      },
      "exposed": false,
      "fix": "Call it with call_tool, by the name "web_tool".",
    }
  `)
})
