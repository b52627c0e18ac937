import { expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import { findHeroImage } from './conversations/find-hero-image.ts'
import { readOptions } from './run/read-options.ts'
import { realModel } from './run/real-model.ts'
import { reportText } from './run/report-text.ts'
import { runAll } from './run/run-all.ts'
import { runConversation } from './run/run-conversation.ts'
import { scriptedModel } from './run/scripted-model.ts'
import { servicesFromEnvironment } from './services-from-environment.ts'
import { aSite } from './testing/a-site.ts'
import { loopback } from './testing/loopback.ts'

const report = await runAll({
  setups: ['everything', 'active', 'bridge'],
  provider: 'openai',
  name: 'scripted',
  services: () => aSite(),
  model: scriptedModel,
})

test('every conversation ends under every setup, and nothing in it is refused', () => {
  expect(report.conversations).toHaveLength(12)
  expect(report.conversations.flatMap(({ refused }) => refused)).toEqual([])
  const ends = report.conversations.map(({ turns }) => turns.at(-1)?.steps.at(-1)?.said)
  expect(ends.filter((said) => said?.length !== 1)).toEqual([])
})

test('a conversation costs less tokens the less of the tools it carries', () => {
  for (const name of ['A', 'B', 'C', 'D']) {
    const of = report.conversations.filter(({ conversation }) => conversation === name)
    const [everything = 0, active = 0, bridge = 0] = of.map(({ totals }) => totals.tokens)
    expect(active).toBeLessThan(everything)
    expect(bridge).toBeLessThan(everything)
  }
})

test('a request that needs no tool carries next to nothing of them', () => {
  const saved = report.savings.find(({ setup, what }) => {
    return setup === 'bridge' && what === 'no tool needed'
  })
  expect(saved?.saved).toBeGreaterThan(0.95)
  expect(saved?.page).toBe(0)
})

test('the report for people has each step, with its figures', () => {
  const text = reportText(report)
  expect(text).toMatch(
    /definitions \d+, instructions \d+, conversation \d+ \(pages \d+\); kept \d+ of/u,
  )
  expect(text).toContain('a person agrees to')
  expect(text).toContain('about image:1 hero-mountains.jpg')
})

test('without arguments three setups are compared, with the scripted model', () => {
  expect(readOptions([])).toEqual({
    setups: ['everything', 'active', 'bridge'],
    provider: 'openai',
    model: null,
    json: false,
  })
})

test.each([
  [['--strategy', 'bridges'], 'No strategy is named "bridges". Use everything, '],
  [['--provider', 'acme'], 'No provider is named "acme". Use '],
  [['--modle', 'x'], "Unknown option '--modle'"],
])('%j is wrong usage, and says what there is', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

test.each([
  ['gpt', {}, '"gpt" is not like provider/name'],
  ['openai/', {}, 'is not like provider/name'],
  ['openai/gpt', {}, 'Set AI_GATEWAY_API_KEY'],
])('a model that cannot be had (%s) says what to set', (id, environment, message) => {
  expect(() => realModel(id, environment)).toThrow(message)
})

test('a model behind a base URL is asked by its name, with the key', async () => {
  const message = { role: 'assistant', content: 'Hello.' }
  await using server = await loopback(() => ({
    body: { choices: [{ index: 0, message, finish_reason: 'stop' }] },
  }))
  const model = realModel('acme/small', {
    OPENAI_BASE_URL: `${server.origin}/v1`,
    OPENAI_API_KEY: 'k',
  })
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]
  const { content } = await model.doGenerate({ prompt })
  expect(content).toEqual([{ type: 'text', text: 'Hello.' }])
  const [asked] = server.asked
  expect(asked).toMatchObject({ url: '/v1/chat/completions', authorization: 'Bearer k' })
  expect(JSON.parse(asked?.body ?? '')).toMatchObject({ model: 'small' })
})

test('a real model on the wire searches, calls over the bridge, and is sent the same tools each time', async () => {
  const replies = [
    ['tool_search', { query: 'find the hero image' }],
    ['call_tool', { name: 'cms_findImage', arguments: { description: 'hero image' } }],
  ] as const
  await using server = await loopback(() => {
    const [name, input] = replies[server.asked.length - 1] ?? []
    const call = { name, arguments: JSON.stringify(input) }
    const calls = [{ id: `c${server.asked.length}`, type: 'function', function: call }]
    const message = name ? { content: null, tool_calls: calls } : { content: 'Found.' }
    const reason = name ? 'tool_calls' : 'stop'
    return {
      body: {
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
      },
    }
  })
  const { turns, remembered } = await runConversation({
    conversation: { ...findHeroImage, turns: [{ user: 'Find the hero image.', says: [] }] },
    catalog: await cmsCatalog(),
    services: aSite(),
    model: realModel('acme/small', { OPENAI_BASE_URL: server.origin }),
    setup: 'bridge',
    provider: 'compatible',
  })
  expect(turns[0]?.steps.at(-1)?.said).toEqual(['Found.'])
  expect(remembered.entities).toEqual(['image:1 hero-mountains.jpg'])
  const sent = server.asked.map(({ body }) =>
    JSON.stringify((JSON.parse(body) as { tools: unknown }).tools),
  )
  expect(sent).toHaveLength(3)
  expect(new Set(sent).size).toBe(1)
})

test('services are those the environment names, and none otherwise', () => {
  const none = servicesFromEnvironment({})
  expect([none.research, none.pexels, none.origins]).toEqual([undefined, undefined, []])
  const all = servicesFromEnvironment({
    CMS_RESEARCH_URL: 'https://research.example',
    CMS_RESEARCH_KEY: 'r',
    PEXELS_API_KEY: 'p',
    CMS_HTTP_ORIGINS: 'https://a.example, https://b.example,',
  })
  expect(all.research).toEqual({ baseUrl: 'https://research.example', key: 'Bearer r' })
  expect(all.pexels).toMatchObject({ baseUrl: 'https://api.pexels.com', key: 'p' })
  expect(all.origins).toEqual(['https://a.example', 'https://b.example'])
})
