import { beforeAll, describe, expect, test } from 'vitest'
import { besideFrameworks, type Installed } from './installed.ts'

/** An agent of the OpenAI Agents SDK with the scripted model of its testing kit, over a SQLite log. */
const AGENT = `
  import { Agent, run, RunState, setTracingDisabled, tool } from '@openai/agents'
  import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
  import { createCatalog, defineSkill, defineTool, toolsFrom, VirtualWorkspace } from 'loadout'
  import { loadoutAgent } from 'loadout/openai-agents'
  import { openSqliteLog } from 'loadout/sqlite'
  import { z } from 'zod'

  setTracingDisabled(true)
  const paid = []
  const refund = defineTool({
    name: 'refund', description: 'Pays back.', inputSchema: z.object({ order: z.string() }),
    requiresConfirmation: true, execute: ({ order }) => (paid.push(order), 'Paid ' + order + ' back.'),
  })
  const lookup = tool({
    name: 'lookup', description: 'Looks an order up.', parameters: z.object({ order: z.string() }),
    execute: ({ order }, { context }) => 'Order ' + order + ' of ' + context.customer,
  })
  const own = tool({ name: 'own', description: 'Of the host.', parameters: z.object({}), execute: () => 'mine' })
  const refunds = defineSkill({
    name: 'refunds', description: 'Pay customers back.', instructions: 'Look up first.',
    tools: [refund, ...toolsFrom([lookup])],
  })
  const catalog = await createCatalog({ skills: [refunds] })
  const log = await openSqliteLog('sessions-' + Math.random() + '.sqlite')
  const script = (...steps) => new ScriptedModel(steps.map((calls, step) => typeof calls === 'string'
    ? [assistantMessage(calls)]
    : calls.map(([name, args], at) => functionCall(name, args, { callId: 'call_' + step + '_' + at }))))
  const make = (model) => loadoutAgent(
    new Agent({ name: 'desk', instructions: 'You are a shop.', tools: [own], model }),
    { open: ({ context }) => VirtualWorkspace.open({ catalog, log, session: context.customer, services: context }) },
  )
  const LOAD = [['loadSkill', { skillName: 'refunds' }]]
  const ada = { context: { customer: 'ada' } }
  const types = async () => (await log.read('ada')).map(({ event }) => event.type)
  const textOf = (item) => (typeof item.output === 'string' ? item.output : item.output?.text)
`

let project: Installed

beforeAll(async () => {
  project = await besideFrameworks({})
}, 240_000)

/** Runs a program with the agent, and returns what it returns. */
async function runs(body: string): Promise<unknown> {
  const program = `${AGENT}
    const main = async () => { ${body} }
    console.log(JSON.stringify(await main()))`
  const { stdout, stderr, code } = await project.node('--input-type=module', '--eval', program)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('an agent of the OpenAI Agents SDK', () => {
  test.each([{ streamed: false }, { streamed: true }])(
    'gets the tools of a skill with it, and each request is one step that begins with the one before: $streamed',
    async ({ streamed }) => {
      const { sent, results, types } = (await runs(`
        const model = script(LOAD, [['lookup', { order: '7' }], ['own', {}]], 'Done.')
        const result = await run(make(model), 'What of order 7?', { ...ada, stream: ${streamed} })
        if (${streamed}) await result.completed
        return {
          sent: model.calls.map(({ request: { tools, input, systemInstructions } }) => ({ tools: tools.map(({ name }) => name), input, systemInstructions })),
          results: result.history.filter(({ type }) => type === 'function_call_result').map(textOf),
          types: await types(),
        }`)) as {
        sent: { tools: string[]; input: object[]; systemInstructions: string }[]
        results: string[]
        types: string[]
      }
      expect(results.slice(1)).toEqual(['Order 7 of ada', 'mine'])
      expect(sent.map(({ tools }) => tools.length)).toEqual([4, 6, 6])
      expect(sent[1]?.tools).toEqual(
        'own loadSkill loadSkillFile unloadSkill refund lookup'.split(' '),
      )
      expect(sent[0]?.systemInstructions).toMatch(/^You are a shop\.\n\n## Skill catalog\n/)
      expect(new Set(sent.map(({ systemInstructions }) => systemInstructions)).size).toBe(1)
      for (const [at, { input }] of sent.entries()) {
        const before = sent[at - 1]?.input ?? []
        expect(input.slice(0, before.length)).toEqual(before)
      }
      expect(types.filter((type) => type === 'step.begun')).toHaveLength(3)
    },
  )

  test.each([
    { verb: 'approve', paid: ['7'], result: 'Paid 7 back.', entry: 'confirmation.approved' },
    { verb: 'reject', paid: [], result: 'Not this one.', entry: 'confirmation.denied' },
  ])(
    'asks a person once, and both logs know the answer, from a stored state: $verb',
    async (row) => {
      const { asked, before, after, results, types } = (await runs(`
      const model = script(LOAD, [['refund', { order: '7' }]], 'Done.')
      const first = await run(make(model), 'Refund order 7.', ada)
      const asked = first.interruptions.map(({ name, arguments: given }) => [name, given])
      const stored = first.state.toString()
      const before = [...paid]
      const agent = make(model)
      const state = await RunState.fromString(agent, stored)
      for (const one of state.getInterruptions()) state.${row.verb}(one, ${row.verb === 'reject' ? "{ message: 'Not this one.' }" : '{}'})
      const result = await run(agent, state)
      return {
        asked, before, after: paid, types: await types(),
        results: result.history.filter(({ type }) => type === 'function_call_result').map(textOf),
      }`)) as {
        asked: unknown[]
        before: string[]
        after: string[]
        results: string[]
        types: string[]
      }
      expect(asked).toEqual([['refund', '{"order":"7"}']])
      expect([before, after]).toEqual([[], row.paid])
      expect(results.at(-1)).toBe(row.result)
      expect(types.filter((type) => type.startsWith('confirmation.'))).toEqual([
        'confirmation.asked',
        row.entry,
      ])
    },
  )

  test('runs of one agent have sessions of their own, also at the same time', async () => {
    const tools = (await runs(`
      const model = script(LOAD, LOAD, 'Done.', 'Done.', 'Hello.')
      const agent = make(model)
      await Promise.all(['bob', 'eve'].map((customer) => run(agent, 'Refund.', { context: { customer } })))
      await run(agent, 'Hello.', { context: { customer: 'max' } })
      return [model.calls.map(({ request }) => request.tools.length), (await log.list()).sessions?.length ?? 0]
    `)) as [number[], number]
    expect(tools[0].toSorted()).toEqual([4, 4, 4, 6, 6])
  })

  const COUNTED = `
    const sessions = new Set()
    const counted = (model, more = {}, limits = {}) => loadoutAgent(new Agent({ name: 'desk', model, ...more }), {
      async open({ context }) {
        const workspace = await VirtualWorkspace.open({ catalog, log, session: context.customer, limits })
        const close = workspace.close.bind(workspace)
        workspace.close = () => (sessions.delete(workspace), close())
        sessions.add(workspace)
        return workspace
      },
    })
  `

  test.each([{ streamed: false }, { streamed: true }])(
    'a model that fails closes the session, and a retry within the run goes on: streamed $streamed',
    async ({ streamed }) => {
      expect(
        await runs(`${COUNTED}
          const inner = script(LOAD, LOAD, [['lookup', { order: '7' }]], 'Done.')
          let asked = 0
          const failing = () => { if (++asked === 2) throw new Error('down') }
          const flaky = {
            async getResponse(request) { failing(); return inner.getResponse(request) },
            async *getStreamedResponse(request) { failing(); yield* inner.getStreamedResponse(request) },
          }
          const go = async (model) => {
            const result = await run(counted(model), 'What of order 7?', { ...ada, stream: ${streamed} })
            if (${streamed}) await result.completed
            return result
          }
          const failed = await go(flaky).then(() => 'ran', ({ message }) => message)
          const open = sessions.size
          const agent = counted(flaky)
          const own = agent.model
          agent.model = ${streamed}
            ? { async *getStreamedResponse(request) { try { yield* own.getStreamedResponse(request) } catch { yield* own.getStreamedResponse(request) } } }
            : { getResponse: (request) => own.getResponse(request).catch(() => own.getResponse(request)) }
          asked = 0
          const result = await run(agent, 'What of order 7?', { context: { customer: 'eve' }, stream: ${streamed} })
          if (${streamed}) await result.completed
          return [failed, open, result.finalOutput, sessions.size]
        `),
      ).toEqual(['down', 0, 'Done.', 0])
    },
  )

  test('an agent that hands off closes its session', async () => {
    expect(
      await runs(`${COUNTED}
        const other = counted(script('Bye.'), { name: 'other' })
        const first = counted(script([['transfer_to_other', {}]]), { handoffs: [other] })
        const result = await run(first, 'Hello.', ada)
        return [result.lastAgent.name, sessions.size]
      `),
    ).toEqual(['other', 0])
  })

  test('a no to a question that has expired is in the session', async () => {
    const types = (await runs(`${COUNTED}
      const model = script(LOAD, [['refund', { order: '7' }]], 'Done.')
      const agent = counted(model, {}, { confirmationMs: 300 })
      const first = await run(agent, 'Refund order 7.', ada)
      const { expiresAt } = [...sessions][0].state.confirmations[0]
      while (Date.now() <= expiresAt);
      for (const one of first.interruptions) first.state.reject(one)
      await run(agent, first.state)
      return [paid, await types()]
    `)) as [string[], string[]]
    expect(types[0]).toEqual([])
    expect(types[1]).toContain('confirmation.denied')
  })
})
