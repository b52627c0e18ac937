import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import {
  createCatalog,
  defineSkill,
  defineTool,
  toolsFromAiSdk,
  type Tool,
  VirtualWorkspace,
} from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { requestsOf, scriptedModel } from './scripted-model.ts'

const inputSchema = z.object({ n: z.number() })

describe('a tool of the SDK that a skill brings', () => {
  const it = tool({
    description: 'Does it.',
    inputSchema,
    strict: true,
    inputExamples: [{ input: { n: 1 } }],
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    execute: () => 1,
  })

  /** Runs a conversation in which the skill is loaded, and returns its last request. */
  async function lastRequest(
    provider: 'openai' | 'anthropic',
    model: string,
    exposure?: 'deferred',
  ) {
    const answers = [[{ name: 'loadSkill', input: { skillName: 'work' } }], 'Done.'] as const
    const server = await openWireServer({ answers })
    const options = { apiKey: 'k', baseURL: `${server.url}/v1` }
    const work = defineSkill({
      name: 'work',
      description: 'Work.',
      tools: toolsFromAiSdk({ it }, { lossy: 'error' }),
    })
    const catalog = await createCatalog({ skills: [work] })
    const workspace = await VirtualWorkspace.open({
      catalog,
      provider,
      ...(exposure !== undefined && { exposure }),
    })
    await generateText({
      model:
        provider === 'openai'
          ? createOpenAI(options).responses(model)
          : createAnthropic(options)(model),
      prompt: 'Work.',
      ...forAiSdk(workspace),
      stopWhen: isStepCount(3),
    })
    await server.close()
    expect(server.violations).toEqual([])
    return { strategy: workspace.state.strategy, body: server.requests.at(-1)?.body }
  }

  test.each([
    { provider: 'openai', model: 'gpt-5.4', sent: ['"strict":true'] },
    {
      provider: 'anthropic',
      model: 'claude-opus-4-8',
      sent: ['"strict":true', '"input_examples":[{"n":1}]', '"cache_control":'],
    },
  ] as const)(
    'has all of its options in the conversation: $provider',
    async ({ provider, model, sent }) => {
      const { strategy, body } = await lastRequest(provider, model)
      expect(strategy).toBe('conversation')
      expect(JSON.stringify(body?.['tools'])).not.toContain('"strict":true')
      const added = JSON.stringify(body?.[provider === 'openai' ? 'input' : 'messages'])
      for (const part of sent) expect(added).toContain(part)
    },
  )

  test('has no mark for the cache while it is deferred', async () => {
    const { strategy, body } = await lastRequest('anthropic', 'claude-sonnet-4-5', 'deferred')
    expect(strategy).toBe('deferred')
    const tools = body?.['tools'] as readonly { name: string }[]
    const sent = tools.find(({ name }) => name === 'it')
    expect(sent).toMatchObject({ defer_loading: true, input_examples: [{ n: 1 }] })
    expect(sent).not.toHaveProperty('cache_control')
  })

  test('has another hash with each option', () => {
    const plain = { description: 'Does it.', inputSchema }
    const variants = [
      plain,
      { ...plain, strict: true },
      { ...plain, inputExamples: [{ input: { n: 1 } }] },
      { ...plain, providerOptions: { anthropic: { deferLoading: true } } },
    ]
    const hashes = variants.map((one) => toolsFromAiSdk({ it: one })[0]?.hash)
    expect(new Set(hashes).size).toBe(variants.length)
  })
})

describe('the limits of tools of the SDK are those of the SDK', () => {
  test('a call has no time limit, and other tools keep theirs', async () => {
    const released = Promise.withResolvers<string>()
    const build = { inputSchema: jsonSchema({ type: 'object' }), execute: () => released.promise }
    const hang = defineTool({
      name: 'hang',
      description: 'Hangs.',
      execute: () => new Promise(() => {}),
    })
    const [limited] = toolsFromAiSdk({ limited: build }, { timeoutMs: 20 }) as [Tool]
    const tools = [...toolsFromAiSdk({ build }), limited, hang]
    const catalog = await createCatalog({ tools })
    const workspace = await VirtualWorkspace.open({ catalog, limits: { timeoutMs: 20 } })
    const building = workspace.callTool('build', {})
    const timedOut = { ok: false, error: { type: 'TIMEOUT' } }
    expect(await workspace.callTool('hang', {})).toMatchObject(timedOut)
    expect(await workspace.callTool('limited', {})).toMatchObject(timedOut)
    expect(workspace.state.calls).toMatchObject([{ tool: 'build', limitMs: null }])
    released.resolve('built')
    expect(await building).toMatchObject({ ok: true, data: 'built' })
  })

  test('the signal of the run ends it', async () => {
    const stopped = new AbortController()
    const reasons: unknown[] = []
    const build = tool({
      inputSchema,
      execute: async (_, { abortSignal }) => {
        stopped.abort(new Error('enough'))
        reasons.push(abortSignal?.reason)
        return 'late'
      },
    })
    const catalog = await createCatalog({ tools: toolsFromAiSdk({ build }) })
    const workspace = await VirtualWorkspace.open({ catalog })
    const model = scriptedModel([[{ id: 'c1', tool: 'build', input: { n: 1 } }], 'Done.'])
    const settings = { model, prompt: 'Go.', ...forAiSdk(workspace), stopWhen: isStepCount(2) }
    await generateText({ ...settings, abortSignal: stopped.signal }).catch(() => undefined)
    expect(reasons).toEqual([stopped.signal.reason])
  })

  test('an argument that the model adds is left out, and a result that is too long is cut', async () => {
    const given: unknown[] = []
    const build = tool({
      inputSchema,
      execute: (input) => {
        given.push(input)
        return { log: 'x'.repeat(5_000), exitCode: 0 }
      },
    })
    const catalog = await createCatalog({ tools: toolsFromAiSdk({ build }) })
    const workspace = await VirtualWorkspace.open({ catalog, limits: { maxBytes: 1_000 } })
    const input = { n: 1, explanation: 'Because.' }
    const model = scriptedModel([[{ id: 'c1', tool: 'build', input }], 'Done.'])
    await generateText({
      model,
      prompt: 'Go.',
      ...forAiSdk(workspace),
      stopWhen: isStepCount(2),
    })
    expect(given).toEqual([{ n: 1 }])
    const read = JSON.stringify(requestsOf(model).at(-1)?.prompt.at(-1))
    expect(read).toContain('The result was cut. It has')
    // The rest, with the exit code, is read with another call.
    expect(read).toContain('read_result')
  })
})
