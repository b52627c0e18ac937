import { createMemoryLog, defineComponent, defineRules, type WorkspaceOptions } from 'loadout'
import type { StepSection } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const LETTERS = { name: 'letters', count: (text: string) => text.length }

const board = defineComponent({
  key: 'board',
  initialState: ['milk'] as readonly string[],
  tools: (define) => [
    define({
      name: 'pin',
      description: 'Pin a note.',
      execute: (_, { update }) => update((notes) => [...notes, 'pinned']),
    }),
  ],
  panel: (notes) => ({ title: 'Board', lines: notes }),
})

const given = {
  skills: [
    aSkill('owls', { instructions: 'Look at night.' }),
    aSkill('mice', { instructions: 'Look in the barn.' }),
  ],
  components: [board],
  tools: [aTool('clock')],
}

const open = (options: Omit<WorkspaceOptions, 'catalog'> = {}) => aWorkspace(given, options)
const ids = (sections: readonly StepSection[]) => sections.map(({ id }) => id)

/** A host that keeps what steps add, and trims it on request. */
function aHistory() {
  let messages: string[] = []
  return {
    add: (sections: readonly StepSection[]) =>
      void messages.push(...sections.map(({ text }) => text)),
    say: (text: string) => void messages.push(text),
    restart: (summary: string, text: string) => void (messages = [summary, text]),
    text: () => messages.join('\n'),
  }
}

test('what a summary cannot stand for is put in once: instructions, tools, panels', async () => {
  const workspace = await open()
  const history = aHistory()
  await workspace.activateSkill('owls')
  history.add((await workspace.beginStep()).conversation)
  history.say('We talked for long.')
  const { sections, text, data, seq } = await workspace.compact()
  history.restart('They talked.', text)
  expect(ids(sections)).toEqual(
    workspace
      .prompt()
      .document.sections.filter(({ placement }) => placement === 'conversation')
      .map(({ id }) => id),
  )
  expect(text).toBe(workspace.prompt().conversation)
  expect(history.text()).toContain('Look at night.')
  expect(data).toMatchObject({
    skills: [{ name: 'owls', digest: workspace.catalog.skills.get('owls')?.hash }],
    exposed: workspace.state.exposed,
    references: [],
    rules: [],
  })
  const [entry] = await workspace.entries(seq)
  expect(entry?.event).toMatchObject({ type: 'session.compacted', rules: [] })
})

test('after it sections are neither sent twice nor lost', async () => {
  const workspace = await open()
  const history = aHistory()
  await workspace.activateSkill('owls')
  history.add((await workspace.beginStep()).conversation)
  const { text } = await workspace.compact()
  history.restart('They talked.', text)
  expect((await workspace.beginStep()).conversation).toEqual([])
  await workspace.callTool('pin', {})
  const changed = await workspace.beginStep()
  expect(ids(changed.conversation)).toEqual(['panel/board'])
  history.add(changed.conversation)
  await workspace.deactivateSkill('owls')
  const left = await workspace.beginStep()
  history.add(left.conversation)
  expect(history.text()).toContain('No longer applies: SKILL TOOLS: Owls.')
  expect(history.text().split('Look at night.')).toHaveLength(2)
})

test('a change just before it is in it, and is not sent again', async () => {
  const workspace = await open()
  await workspace.beginStep()
  await workspace.activateSkill('mice')
  const { text } = await workspace.compact()
  expect(text).toContain('Look in the barn.')
  expect((await workspace.beginStep()).conversation).toEqual([])
})

test('it is remembered over a resume', async () => {
  const log = createMemoryLog()
  const before = await open({ log, session: 's' })
  await before.activateSkill('owls')
  await before.compact()
  const after = await open({ log, session: 's' })
  expect((await after.beginStep()).conversation).toEqual([])
})

test('the next step prices the conversation again, and keeps tools and instructions', async () => {
  const workspace = await open({ tokenCounter: LETTERS, provider: 'anthropic' })
  await workspace.activateSkill('owls')
  await workspace.beginStep({ messageTokens: 9000 })
  const { text } = await workspace.compact()
  const { cost } = await workspace.beginStep({ messageTokens: 100 })
  expect(cost.tokens.conversation).toBe(text.length + 100)
  expect(cost.changed).toMatchObject({ segment: 'conversation', part: 'messages' })
  expect(cost.kept).toBe(cost.tokens.tools + cost.tokens.instructions)
  const next = await workspace.beginStep({ messageTokens: 150 })
  expect(next.cost).toMatchObject({ changed: null, kept: next.cost.previous })
})

test('deferred tools that were referred to have to be referred to again', async () => {
  const workspace = await open({ exposure: 'deferred', provider: 'anthropic' })
  await workspace.beginStep()
  await workspace.activateSkill('owls')
  expect((await workspace.beginStep()).references).toEqual(['owls_tool'])
  expect((await workspace.compact()).data.references).toEqual(['owls_tool'])
})

test('working memory is included unchanged: used, found and mentioned', async () => {
  const extraction = { path: 'pages', type: 'page', nameField: 'title', isArray: true }
  const read = aTool('read_pages', {
    extraction,
    execute: () => ({ pages: [{ id: '7', title: 'Owls of the north' }] }),
  })
  const workspace = await aWorkspace({ tools: [read] })
  await workspace.callTool('read_pages', {}, { caller: 'model' })
  const { text, data } = await workspace.compact()
  expect(data.memory).toEqual(workspace.state.memory)
  expect(data.memory.entities).toMatchObject([{ type: 'page', id: '7', name: 'Owls of the north' }])
  expect(text).toContain('Owls of the north')
  expect((await workspace.beginStep()).conversation).toEqual([])
})

test('rules that were sent are sent once more, and only they count as sent', async () => {
  const rules = defineRules({ topic: 'mail', text: '# Mail\n\nNever send twice.' })
  const send = aTool('send_mail', { topic: 'mail', description: 'Send a mail.' })
  const workspace = await aWorkspace(
    { tools: [send], rules: [rules] },
    { discovery: {}, metaTools: ['tool_search'] },
  )
  await workspace.beginTurn()
  const search = (query: string) =>
    workspace.callTool('tool_search', { query }, { caller: 'model' })
  await search('send a mail')
  expect(workspace.state.rulesSent.map(({ topic }) => topic)).toEqual(['mail'])
  const { text, data, sections } = await workspace.compact()
  expect(text).toContain('Never send twice.')
  expect(data.rules).toEqual(workspace.state.rulesSent)
  expect(ids(sections)).toContain('rules')
  const gone = (await workspace.beginStep()).conversation.filter(({ id }) => id === 'rules')
  expect(gone).toEqual([])
})

test('rules of a removed tool are not sent, and a search sends them again', async () => {
  const rules = defineRules({ topic: 'mail', text: 'Never send twice.' })
  const send = aTool('send_mail', { topic: 'mail', description: 'Send a mail.' })
  const options = { discovery: {}, metaTools: ['tool_search' as const], tools: [send] }
  const workspace = await aWorkspace({ rules: [rules] }, options)
  await workspace.callTool('tool_search', { query: 'send a mail' }, { caller: 'model' })
  await workspace.unregisterTool('send_mail')
  await workspace.beginTurn()
  expect(workspace.state.rulesSent).toHaveLength(1)
  const { text } = await workspace.compact()
  expect(text).not.toContain('Never send twice.')
  expect(workspace.state.rulesSent).toEqual([])
})

test('without a count of the host’s messages, the conversation is priced again, too', async () => {
  const workspace = await open({ tokenCounter: LETTERS, provider: 'anthropic' })
  await workspace.beginStep()
  const { text } = await workspace.compact()
  const { cost } = await workspace.beginStep()
  expect(cost.tokens.conversation).toBe(text.length)
  expect(cost.changed).toMatchObject({ segment: 'conversation' })
})

test('inside a hook it is refused as other commands are', async () => {
  let inside: unknown
  const workspace = await aWorkspace({
    skills: [
      aSkill('owls', {
        onActivate: async () => {
          inside = await workspace.compact().catch((error: unknown) => error)
        },
      }),
    ],
  })
  await workspace.activateSkill('owls')
  expect(inside).toMatchObject({ code: 'inside-hook' })
})

test('what was found in the turn goes in when the history with its page is summarised', async () => {
  const workspace = await open({ discovery: {}, metaTools: ['tool_search'] })
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.callTool('tool_search', { query: 'clock' }, { caller: 'model' })
  expect(ids((await workspace.beginStep()).conversation)).toEqual([])
  const { sections } = await workspace.compact()
  expect(sections.find(({ id }) => id === 'found-tools')?.text).toContain('`clock`')
  expect(ids((await workspace.beginStep()).conversation)).toEqual([])
  await workspace.beginTurn()
  expect(ids((await workspace.beginStep()).conversation)).toEqual([])
})
