import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ToolLoopAgent, type ModelMessage } from 'ai'
import type { ExposureName } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice, type Deeds } from './an-office.ts'
import { recordingServer } from './recording-server.ts'
import type { Said } from './scripted-model.ts'

const readPdf = (exposure: ExposureName): Said =>
  exposure === 'bridge'
    ? [{ id: 'c2', tool: 'call_tool', input: { name: 'readPdf', arguments: { file: 'a.pdf' } } }]
    : [{ id: 'c2', tool: 'readPdf', input: { file: 'a.pdf' } }]

/** Three turns: a search and a call of what it found; a skill that comes and goes; a thank you. */
async function bodiesOf(exposure: ExposureName) {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds, { exposure, discovery: {} })
  const server = await recordingServer([
    [{ id: 'c1', tool: 'tool_search', input: { query: 'read pdf' } }],
    readPdf(exposure),
    'It has three pages.',
    [{ id: 'c3', tool: 'loadSkill', input: { skillName: 'bin' } }],
    [{ id: 'c4', tool: 'unloadSkill', input: { skillName: 'bin' } }],
    'I did nothing.',
    'You are welcome.',
  ])
  const provider = createOpenAICompatible({ name: 'recorded', baseURL: server.baseURL })
  const model = provider('recorded')
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, { withdraw: 'never' }) })
  const messages: ModelMessage[] = []
  for (const content of ['How long is a.pdf?', 'Destroy nothing.', 'Thanks.']) {
    messages.push({ role: 'user', content })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  await server.close()
  return { bodies: server.bodies, deeds }
}

/** Returns the bytes of one member of a body exactly as sent, without the closing bracket. */
function bytesOf(body: string, member: 'tools' | 'messages'): string {
  const parsed: unknown = JSON.parse(body)
  const value =
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, member) : undefined
  const bytes = JSON.stringify(value)
  expect(body).toContain(`"${member}":${bytes}`)
  return bytes.slice(0, -1)
}

/** For each request after the first, whether it begins with the bytes of the one before. */
function keeps(bodies: readonly string[], member: 'tools' | 'messages'): readonly boolean[] {
  const parts = bodies.map((body) => bytesOf(body, member))
  return parts.slice(1).map((part, index) => part.startsWith(parts[index] ?? '-'))
}

test.each<{ exposure: ExposureName; tools: string; changes: number }>([
  { exposure: 'active', tools: 'kept, but when a tool left', changes: 1 },
  { exposure: 'append', tools: 'kept', changes: 0 },
  { exposure: 'deferred', tools: 'kept', changes: 0 },
  { exposure: 'bridge', tools: 'kept', changes: 0 },
])('$exposure: messages are kept byte for byte, tools $tools', async ({ exposure, changes }) => {
  const { bodies, deeds } = await bodiesOf(exposure)
  expect(deeds).toEqual(['read a.pdf'])
  expect(bodies).toHaveLength(7)
  expect(keeps(bodies, 'messages')).toEqual(Array.from({ length: 6 }, () => true))
  expect(keeps(bodies, 'tools').filter((kept) => !kept)).toHaveLength(changes)
})

test('under bridge every request carries the same bytes of tools', async () => {
  const { bodies } = await bodiesOf('bridge')
  expect(new Set(bodies.map((body) => bytesOf(body, 'tools')))).toHaveLength(1)
})

test('what the workspace adds names no provider option, and reaches the wire as plain text', async () => {
  const { bodies } = await bodiesOf('active')
  const [first = ''] = bodies
  const { messages } = JSON.parse(first) as { messages: unknown }
  expect(messages).toMatchInlineSnapshot(`
    [
      {
        "content": "You help in an office.

    ## Skill catalog

    Skills that can be loaded, by id:

    - \`bin\`: Destroys files.
    - \`pdf\`: Works with PDF files.

    ## Loading skills

    A skill brings instructions and tools that are not here until it is loaded. When a request fits a skill, call \`loadSkill\` with its id before you go on. Several may be loaded at once. Deactivate one you no longer need with \`unloadSkill\`; its tools go with it.

    ## Finding tools

    \`tool_search\` finds the tools that are not here: say in a few words what is to be done, such as "find image". It answers with what to call, how, and the rules to keep. What it found can be called by its name, later on without searching again. \`loadTool\` tells all about one of them. Search again when something else is needed. What needs no tool is answered at once.

    ",
        "role": "system",
      },
      {
        "content": "How long is a.pdf?",
        "role": "user",
      },
    ]
  `)
})
