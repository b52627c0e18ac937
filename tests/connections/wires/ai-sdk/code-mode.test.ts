import { createContext, runInContext } from 'node:vm'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  experimental_toolCaller,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  tool,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { type Tool, toolsFromAiSdk, type VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { type AiSdkOptions, forAiSdk } from 'loadout/ai-sdk'
import { forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { type Deeds, openOffice } from './an-office.ts'
import { type Said, scriptedModel } from './scripted-model.ts'

/** Runs programs as code mode of the SDK does: with the tools that the SDK binds to it, and no others. */
function runner(tools: ToolSet) {
  const listed = Object.entries(tools).map(
    ([name, { description }]) => `${name}: ${String(description)}`,
  )
  return tool({
    description: `Runs JavaScript. Tools: ${listed.join('; ')}`,
    inputSchema: jsonSchema<{ js: string }>({
      type: 'object',
      properties: { js: { type: 'string' } },
      required: ['js'],
    }),
    execute: async ({ js }, options) => {
      const called = Object.entries(tools).map(([name, { execute }]) => [
        name,
        (input: unknown) =>
          execute?.(input, { ...options, toolCallId: `${options.toolCallId}/${name}` }),
      ])
      const context = createContext({ tools: Object.fromEntries(called) })
      const running: Promise<unknown> = runInContext(`(async () => {${js}})()`, context)
      const value = await running.catch((error: unknown) => {
        throw new Error(String((error as Error).message))
      })
      return JSON.parse(JSON.stringify(value ?? null)) as unknown
    },
  })
}

const codeMode = experimental_toolCaller(runner({}), { type: 'local', bind: runner })

const program = (js: string, id = 'p1'): Said => [{ id, tool: 'code_mode', input: { js } }]

const NAMES = 'return Object.keys(tools)'

/** A conversation with an office that runs programs. */
async function anOffice(
  said: readonly Said[],
  options: Partial<WorkspaceOptions> = {},
  prepareStep?: NonNullable<AiSdkOptions['prepareStep']>,
) {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds, {
    ...options,
    tools: toolsFromAiSdk({ code_mode: codeMode }),
  })
  onTestFinished(() => workspace.close())
  const model = scriptedModel(said)
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, prepareStep && { prepareStep }) })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Do it.' }]
  const run = async () => {
    const { steps, responseMessages } = await agent.generate({ messages })
    messages.push(...responseMessages)
    return steps.flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'tool-result'
          ? [part.output]
          : part.type === 'tool-error'
            ? [String(part.error)]
            : [],
      ),
    )
  }
  return { deeds, workspace, model, messages, run }
}

const callsOf = async (workspace: VirtualWorkspace) =>
  (await workspace.entries()).flatMap(({ event, cause }) =>
    event.type === 'call.started'
      ? [{ tool: event.tool, by: cause.by, within: event.within ?? null }]
      : [],
  )

test('a program has the tools that the model can call at that time, and no others', async () => {
  const { run, workspace } = await anOffice([
    program(NAMES),
    [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    program(NAMES, 'p2'),
    [{ id: 'u1', tool: 'unloadSkill', input: { skillName: 'pdf' } }],
    program(NAMES, 'p3'),
    'Done.',
  ])
  const outputs = await run()
  expect([outputs[0], outputs[2], outputs[4]]).toEqual([['clock'], ['clock', 'readPdf'], ['clock']])
  expect(await callsOf(workspace)).toHaveLength(5)
})

test('calls of a program are calls within its call, in the log and for the gate', async () => {
  const { run, workspace, deeds } = await anOffice([
    [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    program(`
      const [a, b] = await Promise.all(['a', 'b'].map((file) => tools.readPdf({ file })))
      return { pages: a.pages + b.pages, time: await tools.clock({}) }
    `),
    'Done.',
  ])
  expect((await run())[1]).toEqual({ pages: 6, time: '12:00' })
  expect(deeds).toEqual(['read a', 'read b'])
  expect((await callsOf(workspace)).slice(1)).toEqual([
    { tool: 'code_mode', by: 'model', within: null },
    { tool: 'readPdf', by: 'tool', within: 'p1' },
    { tool: 'readPdf', by: 'tool', within: 'p1' },
    { tool: 'clock', by: 'tool', within: 'p1' },
  ])
})

test('arguments of a program are checked, and a program may go on after a refusal', async () => {
  const { run, deeds } = await anOffice([
    [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    program(`return tools.readPdf({ page: 3 }).catch((error) => error.message)`),
    program(`return tools.shred({ file: 'a' })`, 'p2'),
    'Done.',
  ])
  const [, refused, missing] = await run()
  expect(refused).toMatch(/^VALIDATION: /u)
  expect(missing).toMatch(/tools\.shred is not a function/u)
  expect(deeds).toEqual([])
})

test('a call of a program that a person is asked about does not run, and runs once after the yes', async () => {
  const { run, workspace, deeds, messages } = await anOffice([
    [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'bin' } }],
    program(`return tools.shred({ file: 'a' })`),
    'A person is asked.',
    program(`return tools.shred({ file: 'a' })`, 'p2'),
    program(`return tools.shred({ file: 'a' })`, 'p3'),
    'Done.',
  ])
  expect((await run())[1]).toMatch(/CONFIRMATION_REQUIRED/u)
  expect(deeds).toEqual([])
  const [asked] = workspace.state.confirmations
  expect(asked).toMatchObject({ tool: 'shred', consent: 'pending' })
  await workspace.approve(asked?.id ?? '', { by: 'user' })
  messages.push({ role: 'user', content: 'Go on.' })
  const [after, again] = await run()
  expect(after).toMatchObject({ shredded: true })
  expect(again).toMatch(/CONFIRMATION_REQUIRED/u)
  expect(deeds).toEqual(['shredded a'])
})

test('budgets count the calls of a program', async () => {
  const { run, deeds } = await anOffice(
    [
      [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
      program(`
        const ends = []
        for (const file of ['a', 'b', 'c']) {
          ends.push(await tools.readPdf({ file }).then(() => 'read', (error) => error.message.split(':')[0]))
        }
        return ends
      `),
      'Done.',
    ],
    { policy: { mode: 'voice' } },
  )
  const [, ends] = await run()
  expect(ends).toEqual(['read', 'read', 'BUDGET_EXCEEDED'])
  expect(deeds).toEqual(['read a', 'read b'])
})

test('a step that is limited to some tools limits its programs, too', async () => {
  const { run } = await anOffice([program(NAMES), 'Done.'], {}, () => ({
    activeTools: ['code_mode'],
  }))
  expect(await run()).toEqual([[]])
})

test('an abort of the run reaches the calls of a program', async () => {
  const { workspace } = await anOffice([])
  const begun = Promise.withResolvers<AbortSignal>()
  const [wait] = toolsFromAiSdk({
    wait: tool({
      inputSchema: jsonSchema({ type: 'object' }),
      execute: (_, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          if (abortSignal) begun.resolve(abortSignal)
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason as Error))
        }),
    }),
  }) as readonly Tool[]
  await workspace.registerTool(wait as Tool)
  const agent = new ToolLoopAgent({
    model: scriptedModel([program('return tools.wait({})')]),
    ...forAiSdk(workspace),
  })
  const aborting = new AbortController()
  const running = agent
    .generate({ prompt: 'Wait.', abortSignal: aborting.signal })
    .catch(() => null)
  const signal = await begun.promise
  aborting.abort(new Error('The user left.'))
  await running
  expect(signal.aborted).toBe(true)
  await expect.poll(() => workspace.state.calls.length).toBe(0)
})

test.each(['openai', 'anthropic'] as const)(
  'the definition of a tool that runs programs has the same bytes when tools come (%s)',
  async (provider) => {
    const server = await openWireServer({
      answers: [
        [{ name: 'loadSkill', input: { skillName: 'pdf' } }],
        [{ name: 'code_mode', input: { js: NAMES } }],
        'Done.',
      ],
    })
    onTestFinished(() => server.close())
    const model =
      provider === 'openai'
        ? createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }).responses('gpt-5.4')
        : createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('claude-opus-4-8')
    const workspace = await openOffice([], {
      provider,
      tools: toolsFromAiSdk({ code_mode: codeMode }),
    })
    onTestFinished(() => workspace.close())
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(5) })
    await agent.generate({ prompt: 'How long is a.pdf?' })
    expect(server.violations).toEqual([])
    const [first, ...others] = server.requests.map(({ body }) => body['tools'])
    for (const one of others) expect(one).toEqual(first)
    expect(JSON.stringify(first)).toContain('name_of_a_tool: Any tool that you can call yourself')
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('readPdf')
  },
)

test('programs run on other wires, too', async () => {
  const server = await openWireServer({
    answers: [[{ name: 'code_mode', input: { js: 'return tools.clock({})' } }], 'Noon.'],
  })
  onTestFinished(() => server.close())
  const workspace = await openOffice([], {
    provider: 'openai',
    tools: toolsFromAiSdk({ code_mode: codeMode }),
  })
  onTestFinished(() => workspace.close())
  const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })
  const { status } = await forOpenAI(workspace, { model: 'gpt-5.4' }).run(client, {
    input: [{ role: 'user', content: 'What time is it?' }],
  })
  expect(status).toBe('done')
  expect(server.violations).toEqual([])
  expect(JSON.stringify(server.requests[1]?.body['input'])).toContain('12:00')
})

test('a runner of programs next to the workspace is an error that says where it belongs', async () => {
  const workspace = await openOffice()
  onTestFinished(() => workspace.close())
  expect(() => forAiSdk(workspace, { tools: { code_mode: codeMode } })).toThrow(
    expect.objectContaining({
      code: 'CALL_INVALID',
      hint: expect.stringContaining('toolsFromAiSdk'),
    }),
  )
})
