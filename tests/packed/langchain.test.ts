import { beforeAll, describe, expect, test } from 'vitest'
import { besideFrameworks, type Installed } from './installed.ts'

/** An agent of LangChain with a scripted model, over a SQLite log. Prints what the model was sent, and the end. */
const AGENT = `
  import { BaseChatModel } from '@langchain/core/language_models/chat_models'
  import { Command, MemorySaver } from '@langchain/langgraph'
  import { AIMessage, createAgent, tool } from 'langchain'
  import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
  import { loadoutMiddleware, toolsFromLangChain } from 'loadout/langchain'
  import { openSqliteLog } from 'loadout/sqlite'
  import { z } from 'zod'

  export { Command, createAgent, MemorySaver, tool }

  class Scripted extends BaseChatModel {
    constructor(answers, seen, bound = []) { super({}); Object.assign(this, { answers, seen, bound }) }
    _llmType() { return 'scripted' }
    bindTools(tools) { return new Scripted(this.answers, this.seen, tools) }
    async _generate(messages) {
      const tools = this.bound.map((one) => one.function?.name ?? one.name)
      this.seen.push({ tools, messages: messages.map((one) => [one.getType(), one.text]) })
      const message = this.answers.shift() ?? new AIMessage('Done.')
      return { generations: [{ text: message.text, message }] }
    }
  }

  /** An answer for each list of calls. */
  export function script(...steps) {
    const answers = steps.map((calls, step) => new AIMessage({
      content: '',
      tool_calls: calls.map(([name, args], at) => ({ id: 'call_' + step + '_' + at, name, args, type: 'tool_call' })),
    }))
    const seen = []
    return { model: new Scripted(answers, seen), seen }
  }

  export const paid = []
  const refund = defineTool({
    name: 'refund', description: 'Pays back.', inputSchema: z.object({ order: z.string() }),
    requiresConfirmation: true, execute: ({ order }) => (paid.push(order), 'Paid ' + order + ' back.'),
  })
  const lookup = tool(({ order }, config) => 'Order ' + order + ' of ' + config.configurable.thread_id, {
    name: 'lookup', description: 'Looks an order up.', schema: z.object({ order: z.string() }),
  })
  const rows = tool(() => ['two rows', { rows: [1, 2] }], {
    name: 'rows', description: 'Lists rows.', schema: z.object({}), responseFormat: 'content_and_artifact',
  })
  const leave = tool((_, config) => new Command({ update: { messages: [{ role: 'tool', content: 'Noted.', tool_call_id: config.toolCallId }] } }), {
    name: 'leave', description: 'Changes the state.', schema: z.object({}),
  })
  const refunds = defineSkill({
    name: 'refunds', description: 'Pay customers back.', instructions: 'Look up first.',
    tools: [refund, ...toolsFromLangChain([lookup, rows, leave])],
  })
  const catalog = await createCatalog({ skills: [refunds] })
  export const log = await openSqliteLog('sessions-' + Math.random() + '.sqlite')
  export let open = 0
  export const middleware = () => loadoutMiddleware({
    open: ({ configurable }) => VirtualWorkspace.open({ catalog, log, session: configurable.thread_id }),
  })
  export const config = { configurable: { thread_id: 'ada' } }
  export const said = (text) => ({ messages: [{ role: 'user', content: text }] })
  export const texts = ({ messages }) => messages.map((one) => [one.getType(), one.text, one.artifact ?? one.status ?? ''])
`

let project: Installed

beforeAll(async () => {
  project = await besideFrameworks({ 'agent.mjs': AGENT })
}, 240_000)

/** Runs a program that imports the agent, and returns what it returns. */
async function run(body: string): Promise<unknown> {
  const program = `import * as agent from './agent.mjs'
    const main = async ({ ${'Command, createAgent, MemorySaver, tool, script, paid, log, middleware, config, said, texts'} }) => { ${body} }
    console.log(JSON.stringify(await main(agent)))`
  const { stdout, stderr, code } = await project.node('--input-type=module', '--eval', program)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const LOAD = `[['loadSkill', { skillName: 'refunds' }]]`

describe('an agent of LangChain', () => {
  test('gets the tools of a skill with it, runs them as LangChain does, and each request begins with the one before', async () => {
    const { messages, seen } = (await run(`
      const { model, seen } = script(${LOAD}, [['lookup', { order: '7', more: 1 }], ['rows', {}], ['leave', {}]])
      const own = tool(() => 'mine', { name: 'own', description: 'Of the host.', schema: { type: 'object', properties: {} } })
      const agent = createAgent({ model, tools: [own], systemPrompt: 'You are a shop.', checkpointer: new MemorySaver(), middleware: [middleware()] })
      return { messages: texts(await agent.invoke(said('What of order 7?'), config)), seen }
    `)) as { messages: unknown[][]; seen: { tools: string[]; messages: string[][] }[] }
    expect(messages.slice(3)).toEqual([
      ['ai', '', ''],
      ['tool', 'Order 7 of ada', 'success'],
      ['tool', 'two rows', { rows: [1, 2] }],
      ['tool', 'Noted.', ''],
      ['ai', 'Done.', ''],
    ])
    const own = ['own', 'loadSkill', 'loadSkillFile', 'unloadSkill']
    const all = [...own, 'refund', 'lookup', 'rows', 'leave']
    expect(seen.map(({ tools }) => tools)).toEqual([own, all, all])
    expect(seen[0]?.messages[0]?.[1]).toMatch(/^You are a shop\.\n\n## Skill catalog\n/)
    for (const [at, { messages: sent }] of seen.entries()) {
      const before = seen[at - 1]?.messages ?? []
      expect(sent.slice(0, before.length)).toEqual(before)
    }
  })

  const ASKED = `
    const saver = new MemorySaver()
    const { model, seen } = script(${LOAD}, [['refund', { order: '7' }], ['lookup', { order: '7' }]])
    const make = () => createAgent({ model, checkpointer: saver, middleware: [middleware()] })
    const asked = await make().invoke(said('Refund order 7.'), config)
    const questions = asked.__interrupt__.map(({ value }) => value)
  `

  test.each([
    { decision: { type: 'approve' }, paid: ['7'], text: 'Paid 7 back.' },
    {
      decision: { type: 'edit', editedAction: { name: 'refund', args: { order: '8' } } },
      paid: ['8'],
      text: 'Paid 8 back.',
    },
    {
      decision: { type: 'reject', message: 'Not this customer.' },
      paid: [],
      text: 'Not this customer.',
    },
  ])('asks a person once, also in another agent on the same log: $decision.type', async (row) => {
    const { questions, end, paid, before, types } = (await run(`${ASKED}
      const before = [...paid]
      const end = await make().invoke(new Command({ resume: { decisions: [${JSON.stringify(row.decision)}] } }), config)
      const types = (await log.read('ada')).map(({ event }) => event.type)
      return { questions, before, paid, end: texts(end), types }
    `)) as {
      questions: { actionRequests: object[]; reviewConfigs: object[] }[]
      end: string[][]
      paid: string[]
      before: string[]
      types: string[]
    }
    expect(questions).toHaveLength(1)
    expect(questions[0]?.actionRequests).toMatchObject([{ name: 'refund', args: { order: '7' } }])
    expect(questions[0]?.reviewConfigs).toEqual([
      { actionName: 'refund', allowedDecisions: ['approve', 'edit', 'reject'] },
    ])
    expect([before, paid]).toEqual([[], row.paid])
    expect(types.filter((type) => type === 'confirmation.asked')).toHaveLength(1)
    expect(end.some(([type, text]) => type === 'tool' && text?.includes(row.text))).toBe(true)
    expect(end.at(-1)).toEqual(['ai', 'Done.', ''])
  })

  test('a resume with too few decisions says how many there are', async () => {
    expect(
      await run(`${ASKED}
      return make().invoke(new Command({ resume: { decisions: [] } }), config).then(() => 'ran', ({ message }) => message)`),
    ).toContain('Each call that was asked about needs a decision.')
  })

  test('two threads have sessions of their own, and other middleware keeps its place', async () => {
    const seen = (await run(`
      const { model, seen } = script(${LOAD}, [])
      const order = []
      const other = { name: 'other', wrapToolCall: async (request, handler) => {
        order.push('before ' + request.toolCall.name)
        const result = await handler(request)
        order.push('after ' + request.toolCall.name)
        return result
      } }
      const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [other, middleware(), other && { ...other, name: 'inner' }] })
      await agent.invoke(said('Refund.'), config)
      await agent.invoke(said('Hello.'), { configurable: { thread_id: 'bob' } })
      return { order, tools: seen.map(({ tools }) => tools.length) }
    `)) as object
    expect(seen).toEqual({ order: ['before loadSkill', 'after loadSkill'], tools: [3, 7, 3] })
  })

  const OF_USERS = `
    const { createCatalog, defineTool, VirtualWorkspace } = await import('loadout')
    const { loadoutMiddleware, toolsFromLangChain } = await import('loadout/langchain')
    const { ToolMessage } = await import('langchain')
    const { z } = await import('zod')
    const sessions = []
    const serve = async (tools) => {
      const catalog = await createCatalog({ tools })
      return loadoutMiddleware({
        async open({ context, configurable }) {
          const session = configurable?.thread_id ?? context.user
          const workspace = await VirtualWorkspace.open({ catalog, log, session, services: context })
          const close = workspace.close.bind(workspace)
          workspace.close = () => (sessions.splice(sessions.indexOf(workspace), 1), close())
          sessions.push(workspace)
          return workspace
        },
      })
    }
    const toolTexts = ({ messages }) => messages.filter((one) => one.getType() === 'tool').map((one) => one.text)
  `

  test('runs at the same time have sessions of their own, with a thread and without', async () => {
    expect(
      await run(`${OF_USERS}
        const who = defineTool({ name: 'who', description: 'Says who.', inputSchema: z.object({}), execute: (_, { services }) => services.user })
        const serving = await serve([who])
        const ask = async (user, configurable) => {
          const { model } = script([['who', {}]])
          const agent = createAgent({ model, middleware: [serving], contextSchema: z.object({ user: z.string() }) })
          return toolTexts(await agent.invoke(said('Hi.'), { context: { user }, configurable }))
        }
        const users = ['ada', 'bob', 'cy']
        return [await Promise.all(users.map((user) => ask(user))), await Promise.all(users.map((user) => ask(user, { thread_id: user }))), sessions.length]
      `),
    ).toEqual([[['ada'], ['bob'], ['cy']], [['ada'], ['bob'], ['cy']], 0])
  })

  test('a run that fails, is aborted or is left closes its session, and going on begins no second turn', async () => {
    expect(
      await run(`${OF_USERS}
        let made = 0
        const count = defineTool({ name: 'count', description: 'Counts.', inputSchema: z.object({}), execute: () => (made += 1) })
        const serving = await serve([count])
        const stop = new AbortController()
        let fails = true
        const flaky = { name: 'flaky', wrapModelCall: (request, handler) => {
          if (!fails || request.messages.at(-1).getType() !== 'tool') return handler(request)
          fails = false
          throw new Error('down')
        } }
        const aborting = { name: 'aborting', async wrapModelCall(request, handler) {
          const answer = await handler(request)
          stop.abort()
          return answer
        } }
        const make = (...others) => createAgent({ model: script([['count', {}]]).model, checkpointer: new MemorySaver(), middleware: [serving, ...others] })
        const failing = make(flaky)
        const failed = await failing.invoke(said('Count.'), config).catch(({ message }) => message)
        const open = [sessions.length]
        await failing.invoke(null, config)
        const turns = (await log.read('ada')).filter(({ event }) => event.type === 'turn.begun').length
        await make(aborting).invoke(said('Count.'), { configurable: { thread_id: 'bob' }, signal: stop.signal }).catch(() => {})
        open.push(sessions.length)
        for await (const _ of await make().stream(said('Count.'), { configurable: { thread_id: 'cy' } })) break
        return [failed, made, turns, open, sessions.length]
      `),
    ).toEqual(['down', 1, 1, [0, 0], 0])
  })

  test('other middleware may bring a tool, before this one or behind it, and an unknown tool is refused', async () => {
    const [before, behind, unknown] = (await run(`${OF_USERS}
      const bring = tool(() => 'brought', { name: 'bring', description: 'Of a middleware.', schema: z.object({}) })
      const other = {
        name: 'other',
        wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, bring] }),
        wrapToolCall: (request, handler) => handler(request.toolCall.name === 'bring' ? { ...request, tool: bring } : request),
      }
      const make = async (name, middleware) => {
        const agent = createAgent({ model: script([[name, {}]]).model, middleware })
        return toolTexts(await agent.invoke(said('Hi.'), { context: { user: name } }))
      }
      const serving = await serve([])
      return [await make('bring', [other, serving]), await make('bring', [serving, other]), await make('brnig', [serving, other])]
    `)) as string[][]
    expect([before, behind]).toEqual([['brought'], ['brought']])
    expect(unknown?.[0]).toContain('NOT_FOUND')
  })

  test('a host tool with the name of a tool of the workspace is not sent a second time', async () => {
    expect(
      await run(`${OF_USERS}
        const twice = defineTool({ name: 'twice', description: 'Of the workspace.', inputSchema: z.object({}), execute: () => 'workspace' })
        const own = tool(() => 'host', { name: 'twice', description: 'Of the host.', schema: z.object({}) })
        const { model, seen } = script([['twice', {}]])
        const end = await createAgent({ model, tools: [own], middleware: [await serve([twice])] }).invoke(said('Hi.'), config)
        return [seen[0].tools, toolTexts(end)]
      `),
    ).toEqual([['twice'], ['workspace']])
  })

  test('the text of a Command is that of the session, in every form, and long ones are shortened', async () => {
    const read = (await run(`${OF_USERS}
      const names = ['tuples', 'plain', 'blocks', 'long']
      const messages = ({ toolCallId: tool_call_id }) => ({
        tuples: new ToolMessage({ content: 'One.', tool_call_id }),
        plain: { role: 'tool', content: 'Two.', tool_call_id },
        blocks: new ToolMessage({ content: [{ type: 'text', text: 'Three.' }], tool_call_id }),
        long: new ToolMessage({ content: 'word '.repeat(60000), tool_call_id }),
      })
      const tools = names.map((name) => tool((_, call) => {
        const message = messages(call)[name]
        return new Command({ update: name === 'tuples' ? [['messages', [message]]] : { messages: [message] } })
      }, { name, description: name, schema: z.object({}) }))
      const { model } = script(names.map((name) => [name, {}]))
      const end = await createAgent({ model, middleware: [await serve(toolsFromLangChain(tools))] }).invoke(said('Hi.'), config)
      return toolTexts(end)
    `)) as string[]
    expect(read.slice(0, 3)).toEqual(['One.', 'Two.', 'Three.'])
    expect(read[3]?.length).toBeLessThan(200_000)
  })

  test('decisions that were recorded in part are taken again, and the rest of them counts', async () => {
    expect(
      await run(`${OF_USERS}
        const made = []
        const pay = defineTool({ name: 'pay', description: 'Pays.', inputSchema: z.object({ order: z.string() }), requiresConfirmation: true, execute: ({ order }) => (made.push(order), order) })
        const { model } = script([['pay', { order: '1' }], ['pay', { order: '2' }], ['pay', { order: '3' }]])
        const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [await serve([pay])] })
        await agent.invoke(said('Pay.'), config)
        const catalog = await createCatalog({ tools: [pay] })
        const other = await VirtualWorkspace.open({ catalog, log, session: 'ada' })
        await other.approve(other.state.confirmations[0].id)
        await other.close()
        const decisions = [{ type: 'approve' }, { type: 'reject' }, { type: 'approve' }]
        await agent.invoke(new Command({ resume: { decisions } }), config)
        return made
      `),
    ).toEqual(['1', '3'])
  })
})
