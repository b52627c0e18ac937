import { ToolLoopAgent, type ModelMessage } from 'ai'
import { createCatalog, createMemoryLog, defineAgent, type ExposureName } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice, type Deeds } from './an-office.ts'
import { requestsOf, requestsText, scriptedModel } from './scripted-model.ts'

const search = [{ id: 'c1', tool: 'tool_search', input: { query: 'read pdf' } }]
const read = [{ id: 'c2', tool: 'readPdf', input: { file: 'a.pdf' } }]

test('an agent begins with a search, calls what it found, and the call loads the skill', async () => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds, { discovery: {}, metaTools: ['tool_search'] })
  const model = scriptedModel([search, read, 'Three pages.'])
  await new ToolLoopAgent({ model, ...forAiSdk(workspace) }).generate({ prompt: 'How long?' })
  expect(deeds).toEqual(['read a.pdf'])
  expect(requestsText(model)).toMatchInlineSnapshot(`
    "--- request 1
    tools: tool_search
    system: You help in an office.

    ## Skill catalog

    Skills that can be loaded, by id:

    - \`bin\`: Destroys files.
    - \`pdf\`: Works with PDF files.

    ## Finding tools

    \`tool_search\` finds the tools that are not here: say in a few words what is to be done, such as "find image". It answers with what to call, how, and the rules to keep. What it found can be called by its name, later on without searching again. Search again when something else is needed. What needs no tool is answered at once.


    user: How long?
    --- request 2 (all messages of the request before, then)
    tools: tool_search readPdf
    assistant calls c1: tool_search {"query":"read pdf"}
    tool answers c1: json {"tools":[{"name":"readPdf","signature":"readPdf(file: string)","description":"Read a PDF file.","skill":"pdf","callable":"on-call"}],"skills":[],"rules":"","instruction":"Call these by name. Calling an on-call tool loads its skill. Search again for other needs.","confidence":1,"shortened":[]}
    --- request 3 (all messages of the request before, then)
    tools: tool_search readPdf
    assistant calls c2: readPdf {"file":"a.pdf"}
    tool answers c2: json {"file":"a.pdf","pages":3}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## Loaded skill: pdf

    \`\`\`markdown
    Read before you answer.
    \`\`\`

    ## SKILL TOOLS: Pdf

    - \`readPdf\`: Read a PDF file."
  `)
})

test.each([
  { name: 'shred', arguments: { file: 'a.pdf' } },
  { name: 'shred', arguments: '{"file":"a.pdf"}' },
  { name: 'bin/shred', arguments: { file: 'a.pdf' } },
])('call_tool asks a person before a tool that asks, and then runs it once: %j', async (input) => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds, { discovery: {}, exposure: 'bridge' })
  await workspace.activateSkill('bin')
  const model = scriptedModel([[{ id: 'c1', tool: 'call_tool', input }], 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const { responseMessages, content } = await agent.generate({ prompt: 'Destroy a.pdf.' })
  const request = content.find((part) => part.type === 'tool-approval-request')
  expect(deeds).toEqual([])
  const approvalId = request?.approvalId ?? ''
  const messages = [
    { role: 'user' as const, content: 'Destroy a.pdf.' },
    ...responseMessages,
    {
      role: 'tool' as const,
      content: [{ type: 'tool-approval-response' as const, approvalId, approved: true }],
    },
  ]
  await agent.generate({ messages })
  expect(deeds).toEqual(['shredded a.pdf'])
  await agent.generate({ messages })
  expect(deeds).toEqual(['shredded a.pdf'])
})

test('a found tool that asks first asks at its first call, which loads its skill', async () => {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds, { discovery: {} })
  const find = [{ id: 'c1', tool: 'tool_search', input: { query: 'shred' } }]
  const shred = [{ id: 'c2', tool: 'shred', input: { file: 'a.pdf' } }]
  const model = scriptedModel([find, shred, 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const { content } = await agent.generate({ prompt: 'Destroy a.pdf.' })
  expect(content.map(({ type }) => type)).toContain('tool-approval-request')
  expect(workspace.state.confirmations).toMatchObject([{ tool: 'shred', consent: 'pending' }])
  expect(deeds).toEqual([])
})

/** The tools of each request, with a mark on those a provider is to keep out of its prompt. */
async function toolsUnder(exposure: ExposureName, provider: 'anthropic' | 'compatible') {
  const workspace = await openOffice([], { discovery: {}, exposure, provider })
  await workspace.activateSkill('bin')
  const model = scriptedModel([search, read, 'Three pages.'], `${provider}.messages`)
  await new ToolLoopAgent({ model, ...forAiSdk(workspace) }).generate({ prompt: 'How long?' })
  const tools = requestsOf(model).map((request) =>
    (request.tools ?? []).map((tool) => {
      const options = tool.type === 'function' ? tool.providerOptions : undefined
      return options?.['anthropic']?.['deferLoading'] === true ? `(${tool.name})` : tool.name
    }),
  )
  return { tools: tools.map((names) => names.join(' ')), last: requestsOf(model).at(-1)?.prompt }
}

test('deferred, Anthropic: found tools are marked in the request and referred to in the result', async () => {
  const { tools, last } = await toolsUnder('deferred', 'anthropic')
  expect(tools).toMatchInlineSnapshot(`
    [
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred (clock)",
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred (clock) (readPdf)",
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred (clock) (readPdf)",
    ]
  `)
  const results = (last ?? []).flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? part.output : []))
      : [],
  )
  expect(results[0]).toMatchInlineSnapshot(`
    {
      "type": "content",
      "value": [
        {
          "text": "{"tools":[{"name":"readPdf","signature":"readPdf(file: string)","description":"Read a PDF file.","skill":"pdf","callable":"on-call"}],"skills":[{"id":"pdf","description":"Works with PDF files.","loaded":false}],"rules":"","instruction":"Call these by name. Calling an on-call tool loads its skill. Load a skill with loadSkill. Search again for other needs.","confidence":1,"shortened":[]}",
          "type": "text",
        },
        {
          "providerOptions": {
            "anthropic": {
              "toolName": "readPdf",
              "type": "tool-reference",
            },
          },
          "type": "custom",
        },
      ],
    }
  `)
})

test('deferred, a provider that cannot: a tool is sent from when it was found', async () => {
  const { tools, last } = await toolsUnder('deferred', 'compatible')
  expect(tools).toMatchInlineSnapshot(`
    [
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred",
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred readPdf",
      "tool_search loadTool loadSkill loadSkillFile unloadSkill shred readPdf",
    ]
  `)
  expect(JSON.stringify(last)).not.toContain('tool-reference')
})

test('deferred: a tool that left the catalog stays in the request, and so does its reference', async () => {
  const log = createMemoryLog()
  const options = {
    log,
    session: 'chat',
    discovery: {},
    exposure: 'deferred',
    provider: 'anthropic',
  } as const
  const history: ModelMessage[] = [{ role: 'user', content: 'How long?' }]
  const first = scriptedModel([search, read, 'Three pages.'], 'anthropic.messages')
  const settings = forAiSdk(await openOffice([], options))
  const agent = new ToolLoopAgent({ model: first, ...settings })
  history.push(...(await agent.generate({ messages: history })).responseMessages)
  expect(JSON.stringify(requestsOf(first).at(-1)?.prompt)).toContain('tool-reference')
  const catalog = await createCatalog({ agents: [defineAgent({ name: 'clerk', prompt: 'Hm.' })] })
  const model = scriptedModel(['Sorry.'], 'anthropic.messages')
  const without = forAiSdk(await openOffice([], { ...options, catalog, tools: [] }))
  history.push({ role: 'user', content: 'And b.pdf?' })
  await new ToolLoopAgent({ model, ...without }).generate({ messages: history })
  const [request] = requestsOf(model)
  expect((request?.tools ?? []).map(({ name }) => name)).toContain('readPdf')
  expect(JSON.stringify(request?.prompt)).toContain('tool-reference')
})

test.each([
  { what: 'kept', options: {}, sent: ['- `readPdf`'] },
  {
    what: 'trimmed',
    options: { trim: { above: 40, keep: 20 } },
    sent: ['- `readPdf`: Read a PDF file.', '  - file: string'],
  },
])('in a history that is $what, a later turn gets the found tools', async ({ options, sent }) => {
  const workspace = await openOffice([], { discovery: {}, exposure: 'bridge' })
  const model = scriptedModel([search, 'Found.', 'Welcome.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, options) })
  const user = { role: 'user' as const, content: 'Find what reads a PDF.' }
  const { responseMessages } = await agent.generate({ messages: [user] })
  await agent.generate({
    messages: [user, ...responseMessages, { role: 'user', content: 'Thanks.' }],
  })
  const last = requestsText(model).split('--- request 3')[1] ?? ''
  expect(last.split('\n').filter((line) => /^ *- /u.test(line))).toEqual(sent)
})
