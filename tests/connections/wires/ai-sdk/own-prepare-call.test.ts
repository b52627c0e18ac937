import { generateText, jsonSchema, streamText, ToolLoopAgent, type ToolSet } from 'ai'
import { type AiSdkOptions, forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openOffice } from './an-office.ts'
import { requestsOf, scriptedModel } from './scripted-model.ts'

/** An agent that serves one workspace, and one that serves many, with the same options. */
const ways = ['one workspace', 'many workspaces'] as const

type Options = AiSdkOptions<{ place: string }>

async function settingsOf(way: (typeof ways)[number], options: Options) {
  const workspace = await openOffice()
  return way === 'one workspace'
    ? forAiSdk<ToolSet, { place: string }>(workspace, options)
    : forAiSdk<ToolSet, { place: string }>({ ...options, open: () => workspace })
}

const say = { prompt: 'Hello.', options: { place: 'Rome' } }

test.each(ways)('an own prepareCall runs first, and is kept (%s)', async (way) => {
  const model = scriptedModel(['Hello.'])
  const settings = await settingsOf(way, {
    prepareCall: ({ options, ...rest }) => ({
      ...rest,
      instructions: `You are in ${options.place}.`,
      temperature: 0.5,
      providerOptions: { openai: { user: 'u1' } },
    }),
  })
  await new ToolLoopAgent({ model, ...settings }).generate(say)
  const [request] = requestsOf(model)
  expect(request?.prompt[0]?.content).toMatch(/^You are in Rome\.\n\nYou help in an office\./)
  expect(request).toMatchObject({ temperature: 0.5, providerOptions: { openai: { user: 'u1' } } })
  expect(request?.tools?.map(({ name }) => name)).toContain('loadSkill')
})

test.each(ways)('choices of an own prepareCall are choices of each step (%s)', async (way) => {
  const model = scriptedModel([[{ id: 'c1', tool: 'clock', input: {} }], 'Noon.'])
  const settings = await settingsOf(way, {
    prepareCall: ({ options: _options, ...rest }) => ({
      ...rest,
      activeTools: ['clock'],
      toolChoice: 'required',
      prepareStep: ({ stepNumber }) => (stepNumber === 1 ? { toolChoice: 'none' } : undefined),
    }),
  })
  await new ToolLoopAgent({ model, ...settings }).generate(say)
  const requests = requestsOf(model)
  expect(requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(['required', 'none'])
  expect(requests.map(({ tools }) => (tools ?? []).map(({ name }) => name))).toEqual([
    ['clock'],
    ['clock'],
  ])
})

test.each(ways)('an own prepareCall and an own prepareStep work together (%s)', async (way) => {
  const model = scriptedModel(['Hello.'])
  const settings = await settingsOf(way, {
    prepareStep: () => ({ seed: 7 }),
    prepareCall: ({ options: _options, ...rest }) => ({ ...rest, temperature: 0.5 }),
  })
  await new ToolLoopAgent({ model, ...settings }).generate(say)
  expect(requestsOf(model)[0]).toMatchObject({ seed: 7, temperature: 0.5 })
})

test.each(ways)('an own schema checks the options of a call (%s)', async (way) => {
  const model = scriptedModel(['Hello.'])
  const settings = await settingsOf(way, {
    callOptionsSchema: z.object({ place: z.string().min(3) }),
    prepareCall: ({ options: _options, ...rest }) => rest,
  })
  const agent = new ToolLoopAgent({ model, ...settings })
  await expect(agent.generate({ ...say, options: { place: 'x' } })).rejects.toThrow(/place/)
  await agent.generate(say)
  expect(requestsOf(model)).toHaveLength(1)
})

test.each(ways)('a call that the host repairs is made as repaired (%s)', async (way) => {
  const model = scriptedModel([[{ id: 'c1', tool: 'Clock', input: {} }], 'Noon.'])
  const settings = await settingsOf(way, {
    prepareCall: ({ options: _options, ...rest }) => ({
      ...rest,
      repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: 'clock' }),
    }),
  })
  const { steps } = await new ToolLoopAgent({ model, ...settings }).generate(say)
  expect(steps[0]?.toolResults[0]?.output).toBe('12:00')
})

test.each(ways)(
  'messages of the system are refused unless the host allows them (%s)',
  async (way) => {
    const messages = [
      { role: 'system' as const, content: 'Obey.' },
      { role: 'user' as const, content: 'Hello.' },
    ]
    const options = { place: 'Rome' }
    const plain = new ToolLoopAgent({
      model: scriptedModel(['Hello.']),
      ...(await settingsOf(way, { prepareCall: ({ options: _options, ...rest }) => rest })),
    })
    await expect(plain.generate({ messages, options })).rejects.toThrow(/System messages/)
    const allowing = new ToolLoopAgent({
      model: scriptedModel(['Hello.']),
      ...(await settingsOf(way, {
        prepareCall: ({ options: _options, ...rest }) => ({ ...rest, allowSystemInMessages: true }),
      })),
    })
    expect((await allowing.generate({ messages, options })).text).toBe('Hello.')
  },
)

test.each(ways)('what a prepareCall cannot change is an error that says why (%s)', async (way) => {
  const returning = async (more: object) => {
    const settings = await settingsOf(way, {
      prepareCall: ({ options: _options, ...rest }) => ({ ...rest, ...more }),
    })
    return new ToolLoopAgent({ model: scriptedModel(['Hello.']), ...settings }).generate(say)
  }
  await expect(returning({ tools: {} })).rejects.toMatchObject({
    code: 'CALL_INVALID',
    message: '"prepareCall" returns "tools".',
    hint: expect.stringContaining('Register them in the workspace'),
  })
  await expect(returning({ toolOrder: ['clock'] })).rejects.toMatchObject({
    code: 'CALL_INVALID',
    hint: expect.stringContaining('The workspace orders the tools'),
  })
})

test('settings of an agent for many workspaces count, too', async () => {
  const workspace = await openOffice()
  const model = scriptedModel(['Hello.'])
  const agent = new ToolLoopAgent({
    model,
    prepareStep: () => ({ seed: 7 }),
    activeTools: ['clock'],
    ...forAiSdk({ open: (_options: { place: string }) => workspace }),
  })
  await agent.generate(say)
  expect(requestsOf(model)[0]).toMatchObject({ seed: 7, tools: [{ name: 'clock' }] })
})

test.each(ways)('two functions of the host for one step are an error (%s)', async (way) => {
  const settings = await settingsOf(way, {
    prepareStep: () => ({ seed: 7 }),
    prepareCall: ({ options: _options, ...rest }) => rest,
  })
  const agent = new ToolLoopAgent({
    model: scriptedModel(['Hello.']),
    ...settings,
    prepareStep: () => ({ seed: 8 }),
  } as never) as ToolLoopAgent<{ place: string }>
  await expect(agent.generate(say)).rejects.toMatchObject({
    code: 'CALL_INVALID',
    hint: expect.stringContaining('Give it to forAiSdk'),
  })
})

test('a prepareStep that replaces that of the workspace is an error before anything is sent', async () => {
  const model = scriptedModel([[{ id: 'c1', tool: 'clock', input: {} }], 'Noon.'])
  const settings = { model, ...forAiSdk(await openOffice()), prepareStep: () => ({ seed: 7 }) }
  const error = {
    code: 'STEP_NOT_BEGUN',
    message: expect.stringContaining('the "prepareStep" of forAiSdk was replaced'),
    hint: expect.stringContaining('forAiSdk(workspace, { prepareStep, prepareCall })'),
  }
  await expect(new ToolLoopAgent(settings).generate({ prompt: 'Hello.' })).rejects.toMatchObject(
    error,
  )
  await expect(generateText({ ...settings, prompt: 'Hello.' })).rejects.toMatchObject(error)
  const errors: unknown[] = []
  const streamed = streamText({
    ...settings,
    prompt: 'Hello.',
    onError: ({ error: one }) => void errors.push(one),
  })
  await streamed.consumeStream()
  expect(errors).toMatchObject([error])
  expect(requestsOf(model)).toEqual([])
})

test('a call that comes to the gate without a step is an error', async () => {
  const { tools } = forAiSdk(await openOffice())
  const clock = tools['clock']
  const options = { toolCallId: 'c1', messages: [], context: undefined }
  const call = async () => clock?.execute?.({} as never, options as never)
  await expect(call()).rejects.toMatchObject({ code: 'STEP_NOT_BEGUN' })
})

test('a prepareCall that replaces that of many workspaces is an error, not an agent without tools', async () => {
  const workspace = await openOffice()
  const model = scriptedModel(['Hello.'])
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk({ open: () => workspace, callOptionsSchema: jsonSchema<{ place: string }>({}) }),
    prepareCall: ({ options: _options, ...rest }) => ({ ...rest, instructions: 'Mine.' }),
  })
  await expect(agent.generate(say)).rejects.toMatchObject({
    code: 'CALL_NOT_PREPARED',
    hint: expect.stringContaining('forAiSdk({ open, prepareCall })'),
  })
  expect(requestsOf(model)).toEqual([])
})

test.each<{ title: string; change: (tools: ToolSet) => ToolSet; missing: string }>([
  { title: 'copies', change: (tools) => ({ ...tools }), missing: 'readPdf' },
  { title: 'replaces', change: () => ({}), missing: 'clock' },
])(
  'a prepareCall next to the spread that $title the tools is an error at the first call that lacks one',
  async ({ change, missing }) => {
    const load = { id: 'l', tool: 'loadSkill', input: { skillName: 'pdf' } }
    const model = scriptedModel([[load], [{ id: 'c', tool: 'clock', input: {} }], 'Noon.'])
    const agent = new ToolLoopAgent({
      model,
      ...forAiSdk(await openOffice()),
      prepareCall: (settings) => ({ ...settings, tools: change(settings.tools ?? {}) }),
    })
    await expect(agent.generate({ prompt: 'Hello.' })).rejects.toMatchObject({
      code: 'CALL_NOT_PREPARED',
      message: expect.stringContaining(missing),
      hint: expect.stringContaining('prepareCall'),
    })
  },
)
