import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { forAiSdk, type AiSdkOptions } from 'loadout/ai-sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { officeCatalog, openOffice } from './an-office.ts'
import { requestsOf, requestsText, scriptedModel, type Said } from './scripted-model.ts'

/** One turn after another, as a host has them: it keeps its own messages and the answers. */
async function converse(
  turns: readonly { readonly user: string; readonly said: readonly Said[] }[],
  open: (turn: number) => Promise<VirtualWorkspace>,
  options: AiSdkOptions = {},
  isOneProcess = false,
) {
  const model = scriptedModel(turns.flatMap(({ said }) => said))
  const history: ModelMessage[] = []
  let settings = forAiSdk(await open(0), options)
  for (const [index, { user }] of turns.entries()) {
    if (!isOneProcess && index > 0) settings = forAiSdk(await open(index), options)
    const agent = new ToolLoopAgent({ model, ...settings, stopWhen: isStepCount(20) })
    history.push({ role: 'user', content: user })
    history.push(...(await agent.generate({ messages: history })).responseMessages)
  }
  return { model, history }
}

const load = (id: string, skillName: string): Said => [
  { id, tool: 'loadSkill', input: { skillName } },
]
const turns = [
  { user: 'Load pdf.', said: [load('c1', 'pdf'), 'Loaded.'] },
  { user: 'Load bin.', said: [load('c2', 'bin'), 'Loaded, too.'] },
  { user: 'Thanks.', said: ['You are welcome.'] },
]

/** Returns, for each request, if it begins with all messages of the one before. */
function prefixesKept(model: ReturnType<typeof scriptedModel>): readonly boolean[] {
  const prompts = requestsOf(model).map(({ prompt }) => prompt.map((one) => JSON.stringify(one)))
  return prompts.slice(1).map((prompt, index) => {
    const before = prompts[index] ?? []
    return before.every((message, at) => message === prompt[at])
  })
}

test('a later turn begins with every message of the turn before, ours in their places', async () => {
  const workspace = await openOffice()
  const { model, history } = await converse(turns, async () => workspace)
  expect(prefixesKept(model)).toEqual([true, true, true, true])
  expect(JSON.stringify(history)).not.toContain('From the workspace')
  expect(requestsText(model).split('--- request 3')[1]).toMatchInlineSnapshot(`
    " (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf
    assistant: Loaded.
    user: Load bin.
    --- request 4 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf shred
    assistant calls c2: loadSkill {"skillName":"bin"}
    tool answers c2: json {"skill":"bin","displayName":"Bin","alreadyLoaded":false,"instructions":"Ask whether there is a copy.","tools":[{"name":"shred","status":"available","summary":"Destroy a file."}],"files":[]}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## SKILL TOOLS: Bin

    - \`shred\` (asks first): Destroy a file.
    --- request 5 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf shred
    assistant: Loaded, too.
    user: Thanks."
  `)
})

test('it does so in another process, which has the log and the history alone', async () => {
  const log = createMemoryLog()
  const catalog = await officeCatalog()
  const options = { catalog, log, session: 'chat' }
  const { model } = await converse(turns, () => openOffice([], options))
  const one = await openOffice()
  const { model: same } = await converse(turns, async () => one, {}, true)
  expect(prefixesKept(model)).toEqual([true, true, true, true])
  expect(requestsText(model)).toBe(requestsText(same))
})

test('a message a run was given for its next step is the same object later: the SDK carries it', async () => {
  const { prepareStep, ...settings } = forAiSdk(await openOffice())
  const given: ModelMessage[][] = []
  const model = scriptedModel([load('c1', 'pdf'), load('c2', 'bin'), 'Well.'])
  const agent = new ToolLoopAgent({
    model,
    ...settings,
    prepareStep: async (step) => {
      given.push(step.messages)
      return prepareStep(step)
    },
  })
  await agent.generate({ prompt: 'Go on.' })
  expect(given.map((messages) => messages.map(({ role }) => role).join(' '))).toEqual([
    'user',
    'user user assistant tool',
    'user user assistant tool user assistant tool',
  ])
  expect(given[2]?.slice(0, 4)).toEqual(given[1])
})

test('a skill that the host activates is sent completely, and nothing else is', async () => {
  const workspace = await openOffice()
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const messages: ModelMessage[] = []
  for (const skill of [null, 'pdf', 'bin']) {
    if (skill !== null) await workspace.activateSkill(skill)
    messages.push({ role: 'user', content: `Now with ${skill}.` })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  expect(requestsText(model).split('--- request 2')[1]).toMatchInlineSnapshot(`
    " (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf
    assistant: One.
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## Loaded skill: pdf

    \`\`\`markdown
    Read before you answer.
    \`\`\`

    ## SKILL TOOLS: Pdf

    - \`readPdf\`: Read a PDF file.
    user: Now with pdf.
    --- request 3 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf shred
    assistant: Two.
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## Loaded skill: bin

    \`\`\`markdown
    Ask whether there is a copy.
    \`\`\`

    ## SKILL TOOLS: Bin

    - \`shred\` (asks first): Destroy a file.
    user: Now with bin."
  `)
})

test('instructions come once: in the result of loadSkill, or in a message of ours', async () => {
  const workspace = await openOffice()
  const { model } = await converse(turns, async () => workspace)
  const last = JSON.stringify(requestsOf(model).at(-1)?.prompt)
  expect(last.split('Read before you answer.')).toHaveLength(2)
  expect(last.split('Ask whether there is a copy.')).toHaveLength(2)
})

test('a skill that a result activated and the host deactivated is reported as deactivated', async () => {
  const workspace = await openOffice()
  const { model } = await converse(
    turns.slice(0, 2),
    async (turn) => {
      if (turn === 1) await workspace.deactivateSkill('pdf')
      return workspace
    },
    { withdraw: 'never' },
  )
  const told = requestsText(model).split('--- request 3')[1]
  expect(told).toContain('No longer applies: SKILL TOOLS: Pdf.')
  expect(told).toContain('Their instructions no longer apply:\n\n- `pdf`')
})

test('what was trimmed is sent again at the end, and what was sent stays', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({
    user: `Question ${at}`,
    said: ['Answer.'],
  }))
  const workspace = await openOffice()
  const script = [...turns.slice(0, 1), ...many]
  const trim = { above: 12, keep: 6 }
  const { model } = await converse(script, async () => workspace, { trim })
  const prompts = requestsOf(model).map(({ prompt }) => prompt)
  expect(prompts.map(({ length }) => length)).toMatchInlineSnapshot(`
    [
      3,
      6,
      8,
      10,
      12,
      14,
      10,
      12,
      14,
      10,
      12,
      14,
      10,
      12,
    ]
  `)
  for (const prompt of prompts) {
    const text = JSON.stringify(prompt)
    expect(text).toContain('Load pdf.')
    expect(text).toContain('Available tools')
  }
  const last = JSON.stringify(prompts.at(-1))
  expect(last).not.toContain('"c1"')
  expect(last.split('Read before you answer.')).toHaveLength(2)
  expect(last).toContain('SKILL TOOLS: Pdf')
  expect(
    prefixesKept(model)
      .map((kept) => (kept ? '.' : 'cut'))
      .join(''),
  ).toMatchInlineSnapshot(`".....cut..cut..cut."`)
  const log = createMemoryLog()
  const catalog = await officeCatalog()
  const anew = await converse(script, () => openOffice([], { catalog, log, session: 'chat' }), {
    trim,
  })
  expect(requestsText(anew.model)).toBe(requestsText(model))
})

const deed = fc.constantFrom('clock', 'load pdf', 'unload pdf', 'load bin', 'unload bin')
const sizes = fc.record({
  above: fc.integer({ min: 6, max: 16 }),
  keep: fc.integer({ min: 2, max: 5 }),
})

test('whatever is done and trimmed, another process sends what this one would have sent', async () => {
  const catalog = await officeCatalog()
  const turn = fc.array(deed, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 4 }), sizes, async (done, trim) => {
      let at = 0
      const script = done.map((deeds, index) => ({
        user: `Question ${index}`,
        said: [...deeds.map((one) => callOf(one, `c${(at += 1)}`)), `Answer ${index}`],
      }))
      const here = await openOffice([], { catalog })
      const { model } = await converse(script, async () => here, { trim }, true)
      const options = { catalog, log: createMemoryLog(), session: 'chat' }
      const anew = await converse(script, () => openOffice([], options), { trim })
      expect(requestsText(anew.model)).toBe(requestsText(model))
    }),
    { numRuns: 40 },
  )
})

function callOf(one: string, id: string): Said {
  const [verb = '', skillName = ''] = one.split(' ')
  return verb === 'clock'
    ? [{ id, tool: verb, input: {} }]
    : [{ id, tool: `${verb}Skill`, input: { skillName } }]
}

test('a summarised history has the sections of the summary, and gets only what changed', async () => {
  const workspace = await openOffice()
  const { history } = await converse(turns, async () => workspace)
  expect(history).toHaveLength(10)
  const { text } = await workspace.compact()
  const model = scriptedModel(['Yes.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  await workspace.deactivateSkill('bin')
  await agent.generate({
    messages: [
      { role: 'user', content: `${text}\nSo far: both skills were loaded.` },
      { role: 'assistant', content: 'I know.' },
      { role: 'user', content: 'Is pdf loaded?' },
    ],
  })
  const prompt = requestsOf(model)[0]?.prompt ?? []
  expect(JSON.stringify(prompt).split('Read before you answer.')).toHaveLength(2)
  expect(prompt.slice(-2)).toMatchInlineSnapshot(`
    [
      {
        "content": [
          {
            "text": "From the workspace, not from the user.

    No longer applies: Loaded skill: bin; SKILL TOOLS: Bin.",
            "type": "text",
          },
        ],
        "providerOptions": undefined,
        "role": "user",
      },
      {
        "content": [
          {
            "text": "Is pdf loaded?",
            "type": "text",
          },
        ],
        "providerOptions": undefined,
        "role": "user",
      },
    ]
  `)
})

test("the host's own instructions come before those of the workspace, at every step", async () => {
  const model = scriptedModel([load('c1', 'pdf'), 'Well.'])
  const agent = new ToolLoopAgent({
    model,
    instructions: 'Speak Latin.',
    ...forAiSdk(await openOffice()),
  })
  await agent.generate({ prompt: 'Go on.' })
  const systems = requestsOf(model).map(({ prompt }) => prompt[0])
  expect(systems[0]).toMatchObject({ role: 'system' })
  expect(systems[0]?.content).toMatch(/^Speak Latin\.\n\nYou help in an office\./)
  expect(systems[1]).toEqual(systems[0])
})

test('a turn begins with each message of the user, and not with an answer to a question', async () => {
  const workspace = await openOffice()
  await converse(turns, async () => workspace)
  expect(workspace.state.turn).toBe(3)
  expect(workspace.state.step).toBe(5)
})
