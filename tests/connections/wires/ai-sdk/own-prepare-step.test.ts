import { type PrepareStepFunction, ToolLoopAgent, type ModelMessage, type ToolSet } from 'ai'
import { type AiSdkOptions, forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice } from './an-office.ts'
import { requestsOf, requestText, scriptedModel, type Said } from './scripted-model.ts'

const loadAndRead: readonly Said[] = [
  [{ id: 'c1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
  [{ id: 'c2', tool: 'readPdf', input: { file: 'a.pdf' } }],
  'It has three pages.',
]

type Step = Parameters<PrepareStepFunction<ToolSet>>[0]
type Settings = NonNullable<Awaited<ReturnType<PrepareStepFunction<ToolSet>>>>

/** Runs an agent of the office whose host returns these settings, and returns the requests of its model. */
async function requestsWith(
  settings: (step: Step) => Settings | undefined,
  said: readonly Said[] = loadAndRead,
) {
  const model = scriptedModel(said)
  const workspace = await openOffice()
  const agent = new ToolLoopAgent({
    model,
    instructions: 'Be short.',
    ...forAiSdk(workspace, { prepareStep: settings }),
  })
  const result = await agent.generate({ prompt: 'How long is a.pdf?' })
  return { requests: requestsOf(model), workspace, result }
}

/** Every field that a `prepareStep` may return: a new one of the SDK is a type error here. */
const FIELDS = {
  model: 'the host chooses; the facts of this model count',
  instructions: 'first the host, then the workspace',
  system: 'first the host, then the workspace',
  messages: 'the history of the host',
  toolChoice: 'the host chooses among the tools of the step',
  activeTools: 'the step has only these tools',
  toolOrder: 'refused',
  toolsContext: 'as returned',
  runtimeContext: 'as returned',
  experimental_sandbox: 'as returned',
  providerOptions: 'as returned',
  maxOutputTokens: 'as returned',
  temperature: 'as returned',
  topP: 'as returned',
  topK: 'as returned',
  presencePenalty: 'as returned',
  frequencyPenalty: 'as returned',
  stopSequences: 'as returned',
  seed: 'as returned',
  reasoning: 'as returned',
} satisfies Record<keyof Settings, string>

const AS_RETURNED: Settings = {
  providerOptions: { openai: { user: 'u1' } },
  maxOutputTokens: 10,
  temperature: 0.5,
  topP: 0.9,
  topK: 3,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  stopSequences: ['END'],
  seed: 7,
  reasoning: 'low',
}

test('settings of a call reach the model as the host returns them', async () => {
  const { requests } = await requestsWith(() => AS_RETURNED)
  expect(requests).toHaveLength(3)
  for (const request of requests) expect(request).toMatchObject(AS_RETURNED)
  const names = Object.entries(FIELDS).flatMap(([name, is]) => (is === 'as returned' ? name : []))
  const contexts = new Set(['toolsContext', 'runtimeContext', 'experimental_sandbox'])
  expect(names.filter((name) => !contexts.has(name)).toSorted()).toEqual(
    Object.keys(AS_RETURNED).toSorted(),
  )
})

test('a context that the host returns counts in later steps', async () => {
  const seen: unknown[] = []
  const { result } = await requestsWith((step) => {
    seen.push(step.runtimeContext)
    return step.stepNumber === 0 ? { runtimeContext: { user: 'u1' } } : {}
  })
  expect(seen).toEqual([{}, { user: 'u1' }, { user: 'u1' }])
  expect(result.steps.map(({ runtimeContext }) => runtimeContext)).toEqual(
    Array.from({ length: 3 }, () => ({ user: 'u1' })),
  )
})

test('the host sees its own messages and instructions at each step, without those of the workspace', async () => {
  const seen: { messages: ModelMessage[]; instructions: unknown }[] = []
  await requestsWith(({ messages, instructions }) => {
    seen.push({ messages, instructions })
    return undefined
  })
  expect(seen.map(({ instructions }) => instructions)).toEqual(Array(3).fill('Be short.'))
  expect(seen.map(({ messages }) => messages.map(({ role }) => role).join(' '))).toEqual([
    'user',
    'user assistant tool',
    'user assistant tool assistant tool',
  ])
})

test('instructions of the host come before those of the workspace, and hold in later steps', async () => {
  const { requests } = await requestsWith(({ stepNumber }) =>
    stepNumber === 1 ? { instructions: 'Be long.' } : undefined,
  )
  const systems = requests.map(({ prompt }) => prompt[0]?.content)
  expect(systems[0]).toMatch(/^Be short\.\n\nYou help in an office\./)
  expect(systems[1]).toMatch(/^Be long\.\n\nYou help in an office\./)
  expect(systems[2]).toBe(systems[1])
  const old = await requestsWith(() => ({ system: 'Be long.' }))
  expect(old.requests.map(({ prompt }) => prompt[0]?.content)).toEqual(Array(3).fill(systems[1]))
})

test('messages of the host become the history, to which the workspace adds its own', async () => {
  const { requests } = await requestsWith(({ stepNumber, messages }) =>
    stepNumber === 2
      ? { messages: [{ role: 'user', content: 'Summary: a.pdf is open.' }, ...messages.slice(1)] }
      : undefined,
  )
  const texts = requests.map(requestText)
  expect(texts[2]).toContain('user: Summary: a.pdf is open.')
  expect(texts[2]).not.toContain('How long is a.pdf?')
  expect(texts[2]).toContain('user: From the workspace, not from the user.')
})

test('messages of the host are kept in later steps', async () => {
  const { requests } = await requestsWith(({ stepNumber, messages }) =>
    stepNumber === 1
      ? { messages: [{ role: 'user', content: 'Summary.' }, ...messages.slice(1)] }
      : undefined,
  )
  const third = requestText(requests[2] as never)
  expect(third).toContain('user: Summary.')
  expect(third).not.toContain('How long is a.pdf?')
})

test('the model of a step is that of the host, and the facts of this model count', async () => {
  const other = scriptedModel(['It has three pages.'], 'anthropic.messages')
  const { requests } = await requestsWith(({ stepNumber }) =>
    stepNumber === 2 ? { model: other } : undefined,
  )
  expect(requests).toHaveLength(2)
  expect(requestsOf(other)).toHaveLength(1)
})

test('the host may choose a tool of the step, by its name in the session', async () => {
  const { requests } = await requestsWith(({ stepNumber }) =>
    stepNumber === 1 ? { toolChoice: { type: 'tool', toolName: 'readPdf' } } : undefined,
  )
  expect(requests.map(({ toolChoice }) => toolChoice)).toEqual([
    { type: 'auto' },
    { type: 'tool', toolName: 'readPdf' },
    { type: 'auto' },
  ])
})

test.each<{ field: string; settings: Settings; says: RegExp; hint: RegExp }>([
  {
    field: 'toolChoice',
    settings: { toolChoice: { type: 'tool', toolName: 'readPdf' } },
    says: /names "readPdf", which this step does not send/,
    hint: /sends loadSkill, loadSkillFile, unloadSkill, clock\. Activate the skill/,
  },
  {
    field: 'toolOrder',
    settings: { toolOrder: ['clock'] },
    says: /"prepareStep" returns "toolOrder"/,
    hint: /The workspace orders the tools/,
  },
])('$field that cannot be sent is an error that says why', async ({ settings, says, hint }) => {
  const run = requestsWith(() => settings)
  await expect(run).rejects.toMatchObject({
    code: 'CALL_INVALID',
    message: expect.stringMatching(says),
    hint: expect.stringMatching(hint),
  })
})

test('a step has only the active tools of the host, and a call of another one is refused and logged', async () => {
  const { requests, workspace } = await requestsWith(
    ({ stepNumber }) => (stepNumber === 1 ? { activeTools: ['clock'] } : undefined),
    [
      ...loadAndRead.slice(0, 2),
      [{ id: 'c3', tool: 'readPdf', input: { file: 'a.pdf' } }],
      'Done.',
    ],
  )
  const tools = requests.map((request) => (request.tools ?? []).map(({ name }) => name).join(' '))
  expect(tools).toEqual([
    'loadSkill loadSkillFile unloadSkill clock',
    'clock',
    'loadSkill loadSkillFile unloadSkill clock readPdf',
    'loadSkill loadSkillFile unloadSkill clock readPdf',
  ])
  const answers = requestText(requests[3] as never)
  expect(answers).toMatch(/tool answers c2: error-text .*not available \(not-exposed\)/)
  expect(answers).toContain('tool answers c3: json {"file":"a.pdf","pages":3}')
  const events = (await workspace.entries()).map(({ event }) => event)
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'command.refused', code: 'not-exposed' }),
  )
  expect(events.filter(({ type }) => type === 'step.begun')[1]).toMatchObject({
    activeTools: ['clock'],
  })
})

test('no active tools leave a request without tools', async () => {
  const { requests } = await requestsWith(() => ({ activeTools: [] }), ['Hello.'])
  expect(requests[0]?.tools ?? []).toEqual([])
})

test('active tools limit the tools that a provider runs, too', async () => {
  const model = scriptedModel(['Hello.'])
  const options: AiSdkOptions = { prepareStep: () => ({ activeTools: ['clock'] }) }
  const own = {
    provider: {
      type: 'provider',
      isProviderExecuted: true,
      id: 'x.search',
      args: {},
      inputSchema: {},
    },
  }
  const tools = own as unknown as NonNullable<AiSdkOptions['tools']>
  const agent = new ToolLoopAgent({ model, ...forAiSdk(await openOffice(), { ...options, tools }) })
  await agent.generate({ prompt: 'Hello.' })
  expect(requestsOf(model)[0]?.tools?.map(({ name }) => name)).toEqual(['clock'])
})
