import { generateText, isStepCount, type ModelMessage, ToolLoopAgent } from 'ai'
import { createCatalog, defineSkill, defineTool, type ToolContext, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, requestText, scriptedModel, type Said } from './scripted-model.ts'

interface Services {
  readonly user: string
}

/** A workspace whose tools and hooks note whose services they get. */
async function openNoting() {
  const seen: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'Notes who asks.',
    inputSchema: z.object({}),
    execute: (_, { services }: ToolContext<Services>) => void seen.push(`note ${services.user}`),
  })
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    category: 'action',
    requiresConfirmation: true,
    inputSchema: z.object({}),
    execute: (_, { services }: ToolContext<Services>) => void seen.push(`pay ${services.user}`),
  })
  const diary = defineSkill({
    name: 'diary',
    description: 'Keeps notes.',
    instructions: 'Write.',
    onActivate: ({ services }) => void seen.push(`hook ${(services as Services).user}`),
  })
  const catalog = await createCatalog({ tools: [note, pay], skills: [diary] })
  const workspace = await VirtualWorkspace.open<Services>({ catalog, services: { user: 'w' } })
  return { workspace, seen }
}

const services = ({ user }: { user: string }): Services => ({ user: `of ${user}` })
const note = (id: string): Said => [{ id, tool: 'note', input: {} }]
const load: Said = [{ id: 'l1', tool: 'loadSkill', input: { skillName: 'diary' } }]

test('the runtimeContext of a run becomes the services of its calls and hooks', async () => {
  const { workspace, seen } = await openNoting()
  const model = scriptedModel([note('c1'), load, 'Done.', note('c2'), 'Done.'])
  const settings = { model, ...forAiSdk(workspace, { services }), stopWhen: isStepCount(9) }
  await generateText({ ...settings, prompt: 'Go on.', runtimeContext: { user: 'a' } })
  await generateText({ ...settings, prompt: 'Go on.', runtimeContext: { user: 'b' } })
  expect(seen).toEqual(['note of a', 'hook of a', 'note of b'])
})

test('runs that go on at the same time in one workspace have the services of their own contexts', async () => {
  const seen: string[] = []
  const whose = defineTool({
    name: 'whose',
    description: 'Notes for whom it was called, and who asks.',
    inputSchema: z.object({ of: z.string() }),
    execute: ({ of }, { services: { user } }: ToolContext<Services>) =>
      void seen.push(`${of} ${user}`),
  })
  const catalog = await createCatalog({ tools: [whose] })
  const workspace = await VirtualWorkspace.open<Services>({ catalog, services: { user: 'w' } })
  const settings = forAiSdk(workspace, { services })
  const run = (user: string) => {
    const call = (id: string): Said => [{ id, tool: 'whose', input: { of: user } }]
    const model = scriptedModel([call(`1 ${user}`), call(`2 ${user}`), 'Done.'])
    const agent = new ToolLoopAgent({ model, ...settings, runtimeContext: { user } })
    return agent.generate({ prompt: `I am ${user}.` })
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(run))
  const own = ['a', 'b', 'c', 'd'].flatMap((user) => [`${user} of ${user}`, `${user} of ${user}`])
  expect(seen.toSorted()).toEqual(own)
})

test('a runtimeContext that a step changes counts from that step on', async () => {
  const { workspace, seen } = await openNoting()
  const model = scriptedModel([note('c1'), note('c2'), 'Done.'])
  const agent = new ToolLoopAgent({
    model,
    runtimeContext: { user: 'a' },
    ...forAiSdk(workspace, {
      services,
      prepareStep: ({ stepNumber }) =>
        stepNumber === 1 ? { runtimeContext: { user: 'b' } } : undefined,
    }),
  })
  await agent.generate({ prompt: 'Go on.' })
  expect(seen).toEqual(['note of a', 'note of b'])
})

test('the services are made once for a context', async () => {
  const { workspace } = await openNoting()
  let made = 0
  const model = scriptedModel([note('c1'), note('c2'), 'Done.'])
  const counting = () => {
    made += 1
    return { user: 'a' }
  }
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, { services: counting }) })
  await agent.generate({ prompt: 'Go on.' })
  expect(made).toBe(1)
})

test('the toolsContext of a tool is the services of its calls', async () => {
  const { workspace, seen } = await openNoting()
  const model = scriptedModel([note('c1'), 'Done.'])
  await generateText({
    model,
    ...forAiSdk(workspace, { services }),
    prompt: 'Go on.',
    stopWhen: isStepCount(9),
    runtimeContext: { user: 'a' },
    toolsContext: { note: { user: 'of the tool' } } as never,
  })
  expect(seen).toEqual(['note of the tool'])
})

/** A history whose last message approves the call that a first run asked about. */
async function approvedHistory(workspace: VirtualWorkspace<Services>): Promise<ModelMessage[]> {
  const model = scriptedModel([[{ id: 'p1', tool: 'pay', input: {} }]])
  const question: ModelMessage = { role: 'user', content: 'Pay.' }
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const { responseMessages, content } = await agent.generate({ messages: [question] })
  const asked = content.find((part) => part.type === 'tool-approval-request')
  const approvalId = asked?.approvalId ?? ''
  const approval = { type: 'tool-approval-response' as const, approvalId, approved: true }
  return [question, ...responseMessages, { role: 'tool', content: [approval] }]
}

const runs = ['generateText', 'an agent', 'an agent for many'] as const

test.each(runs)(
  'a call that a person approved runs before the first step, with the services of that run (%s)',
  async (run) => {
    const { workspace, seen } = await openNoting()
    const messages = await approvedHistory(workspace)
    const model = scriptedModel(['Paid.'])
    const runtimeContext = { user: 'b' }
    if (run === 'generateText') {
      const settings = forAiSdk(workspace, { services })
      await generateText({ model, ...settings, messages, runtimeContext })
    } else if (run === 'an agent') {
      const settings = forAiSdk(workspace, { services })
      await new ToolLoopAgent({ model, runtimeContext, ...settings }).generate({ messages })
    } else {
      const settings = forAiSdk({ open: () => workspace, services })
      await new ToolLoopAgent({ model, runtimeContext, ...settings } as never).generate({
        messages,
      } as never)
    }
    expect(seen).toEqual(['pay of b'])
  },
)

test('a toolApproval that replaces that of forAiSdk is an error when an approved call needs its services', async () => {
  const { workspace, seen } = await openNoting()
  const messages = await approvedHistory(workspace)
  const model = scriptedModel(['Well.'])
  const settings = { ...forAiSdk(workspace, { services }), toolApproval: () => undefined }
  await generateText({ model, ...settings, messages, runtimeContext: { user: 'b' } })
  expect(requestText(requestsOf(model)[0] as never)).toContain('services of a call')
  expect(seen).toEqual([])
})

test('nothing of a context is in the log', async () => {
  const { workspace } = await openNoting()
  const model = scriptedModel([note('c1'), load, 'Done.'])
  const agent = new ToolLoopAgent({
    model,
    runtimeContext: { user: 'canary' },
    ...forAiSdk(workspace, { services }),
  })
  await agent.generate({ prompt: 'Go on.' })
  expect(JSON.stringify(await workspace.entries())).not.toContain('canary')
})
