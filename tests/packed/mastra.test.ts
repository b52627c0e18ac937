import { beforeAll, describe, expect, test } from 'vitest'
import { besideFrameworks, type Installed } from './installed.ts'

/** An agent of Mastra with a scripted model, over a SQLite log. */
const AGENT = `
  import { Agent } from '@mastra/core/agent'
  import { Mastra } from '@mastra/core/mastra'
  import { RequestContext } from '@mastra/core/request-context'
  import { InMemoryStore } from '@mastra/core/storage'
  import { createTool } from '@mastra/core/tools'
  import { createCatalog, defineSkill, defineTool, toolsFrom, VirtualWorkspace } from 'loadout'
  import { loadoutProcessor } from 'loadout/mastra'
  import { openSqliteLog } from 'loadout/sqlite'
  import { z } from 'zod'

  const usage = { inputTokens: 10, outputTokens: 1, totalTokens: 11 }
  function script(...steps) {
    const seen = []
    const next = (options) => {
      const step = seen.push(options)
      const calls = steps[step - 1] ?? 'Done.'
      const content = typeof calls === 'string' ? [{ type: 'text', text: calls }] : calls.map(([toolName, input], at) =>
        ({ type: 'tool-call', toolCallId: 'call_' + step + '_' + at, toolName, input: typeof input === 'string' ? input : JSON.stringify(input) }))
      return { content, finishReason: typeof calls === 'string' ? 'stop' : 'tool-calls' }
    }
    const model = {
      specificationVersion: 'v2', provider: 'scripted', modelId: 'scripted', supportedUrls: {},
      doGenerate: async (options) => ({ ...next(options), usage, warnings: [] }),
      async doStream(options) {
        const { content, finishReason } = next(options)
        const parts = content.flatMap((part) => part.type === 'tool-call' ? [part] : [
          { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: part.text }, { type: 'text-end', id: 't' }])
        const ends = [{ type: 'stream-start', warnings: [] }, { type: 'response-metadata', id: 'x', modelId: 'm', timestamp: new Date(0) }]
        return { stream: ReadableStream.from([...ends, ...parts, { type: 'finish', finishReason, usage }]) }
      },
    }
    return { model, seen }
  }

  const paid = []
  const refund = defineTool({
    name: 'refund', description: 'Pays back.', inputSchema: z.object({ order: z.string() }),
    requiresConfirmation: true, execute: ({ order }) => (paid.push(order), 'Paid ' + order + ' back.'),
  })
  const inputSchema = z.object({ order: z.string() })
  const lookup = createTool({ id: 'lookup', description: 'Looks an order up.', inputSchema, execute: async ({ order }) => ({ order, state: 'paid' }) })
  const own = createTool({ id: 'own', description: 'Of the host.', inputSchema: z.object({}), execute: async () => 'mine' })
  const refunds = defineSkill({ name: 'refunds', description: 'Pay customers back.', instructions: 'Look up first.', tools: [refund, ...toolsFrom([lookup])] })
  const catalog = await createCatalog({ skills: [refunds] })
  const log = await openSqliteLog('sessions-' + Math.random() + '.sqlite')
  const storage = new InMemoryStore()
  const LOAD = [['loadSkill', { skillName: 'refunds' }]]
  /** An agent as another process has it, on the same storage. */
  const make = (model) => {
    const loadout = loadoutProcessor({
      tools: { own },
      open: ({ requestContext }) => VirtualWorkspace.open({ catalog, log, session: requestContext.get('customer') }),
    })
    const agent = new Agent({ id: 'desk', name: 'desk', instructions: 'You are a shop.', model, tools: loadout.tools, inputProcessors: [loadout] })
    return new Mastra({ agents: { desk: agent }, storage, logger: false }).getAgent('desk')
  }
  const ada = () => ({ requestContext: new RequestContext([['customer', 'ada']]) })
  const types = async () => (await log.read('ada')).map(({ event }) => event.type)
`

let project: Installed

beforeAll(async () => {
  project = await besideFrameworks({})
}, 240_000)

/** Runs a program with the agent, and returns what it returns. */
async function runs(body: string): Promise<unknown> {
  const program = `${AGENT}
    const main = async () => { ${body} }
    console.log('\\n' + JSON.stringify(await main()))
    process.exit()`
  const { stdout, stderr, code } = await project.node('--input-type=module', '--eval', program)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

describe('an agent of Mastra', () => {
  test.each(['generate', 'stream'])(
    'gets the tools of a skill with it, and each request is one step that begins with the one before: %s',
    async (method) => {
      const { sent, text, types } = (await runs(`
        const { model, seen } = script(LOAD, [['lookup', { order: '7' }], ['own', {}]], 'Done.')
        const result = await make(model).${method}('What of order 7?', ada())
        const text = await result.text
        const bare = (content) => Array.isArray(content) ? content.map(({ providerOptions, ...part }) => part) : content
        return { text, types: await types(), sent: seen.map(({ tools, prompt }) => ({ tools: tools.map(({ name }) => name), prompt: prompt.map(({ role, content }) => [role, bare(content)]) })) }
      `)) as {
        sent: { tools: string[]; prompt: [string, unknown][] }[]
        text: string
        types: string[]
      }
      expect(text).toBe('Done.')
      expect(sent.map(({ tools }) => tools.join(' '))).toEqual([
        'own loadSkill loadSkillFile unloadSkill',
        'own loadSkill loadSkillFile unloadSkill refund lookup',
        'own loadSkill loadSkillFile unloadSkill refund lookup',
      ])
      for (const [at, { prompt }] of sent.entries()) {
        const before = sent[at - 1]?.prompt ?? []
        expect(prompt.slice(0, before.length)).toEqual(before)
      }
      expect(JSON.stringify(sent[2]?.prompt)).toContain('\\"state\\":\\"paid\\"')
      expect(types.filter((type) => type === 'step.begun')).toHaveLength(3)
    },
  )

  test.each([
    { verb: 'approve', paid: ['7'], entry: 'confirmation.approved' },
    { verb: 'decline', paid: [], entry: 'confirmation.denied' },
  ])('asks a person once, and both know the answer, in another process: $verb', async (row) => {
    const { finish, tool, before, after, text, types } = (await runs(`
      const { model } = script(LOAD, [['refund', { order: '7' }]], 'Done.')
      const asked = await make(model).generate('Refund order 7.', { ...ada(), runId: 'r1' })
      const before = [...paid]
      const { toolCallId, toolName } = asked.suspendPayload
      const end = await make(model).${row.verb}ToolCallGenerate({ ...ada(), runId: 'r1', toolCallId })
      return { finish: asked.finishReason, tool: toolName, before, after: paid, text: end.text, types: await types() }
    `)) as {
      finish: string
      tool: string
      before: string[]
      after: string[]
      text: string
      types: string[]
    }
    expect([finish, tool, text]).toEqual(['suspended', 'refund', 'Done.'])
    expect([before, after]).toEqual([[], row.paid])
    expect(types.filter((type) => type.startsWith('confirmation.'))).toEqual([
      'confirmation.asked',
      row.entry,
    ])
  })

  test.each(['generate', 'stream'])(
    'sends each tool once, whatever its name, and refuses arguments that are not JSON: %s',
    async (method) => {
      const { names, sent, made, text } = (await runs(`
        const names = ['2fa', '-dash', 'own', 'x'.repeat(64), 'a.b', 'a.' + 'y'.repeat(80)]
        const made = []
        const tools = names.map((name) => defineTool({ name, description: name, inputSchema: z.object({}), execute: () => (made.push(name), 'Made.') }))
        const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools }) })
        const loadout = loadoutProcessor({ open: () => workspace, tools: { own } })
        const calls = workspace.tools().map(({ name }) => [workspace.calls.sentName(name, 'openai'), {}])
        const { model, seen } = script(calls, [['2fa', '{"half": '], ['-dash', 'all of it']], [['2fa', {}]], 'Done.')
        const agent = new Agent({ id: 'desk', name: 'desk', instructions: 'You are a shop.', model, tools: loadout.tools, inputProcessors: [loadout] })
        const result = await agent.${method}('Go.', ada())
        const text = await result.text
        return { names, made, text, sent: seen.map(({ tools }) => tools.map(({ name }) => name)) }
      `)) as { names: string[]; sent: string[][]; made: string[]; text: string }
      expect(text).toBe('Done.')
      for (const tools of sent) {
        expect(tools).toHaveLength(names.length)
      }
      expect(made.toSorted()).toEqual([...names, '2fa'].toSorted())
    },
  )
})
