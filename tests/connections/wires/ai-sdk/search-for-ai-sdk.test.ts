import { dynamicTool, generateText, isStepCount, jsonSchema, toolSearch } from 'ai'
import { createToolIndex } from 'loadout/search'
import { searchForAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { requestsOf, scriptedModel } from './scripted-model.ts'

const documents = [
  { name: 'refundOrder', description: 'Pay an order back.', phrases: ['I want my money back'] },
  { name: 'findOrder', description: 'Find an order by its number.' },
  { name: 'clock', description: 'Tell the time.' },
  { name: 'refunds', kind: 'skill' as const, description: 'Money back.' },
]

test("the SDK's own search finds deferred tools by our ranking", async () => {
  const deferred = Object.fromEntries(
    documents
      .filter(({ kind }) => kind !== 'skill')
      .map(({ name, description }) => [
        name,
        dynamicTool({
          description,
          deferLoading: true,
          inputSchema: jsonSchema({ type: 'object' }),
          execute: () => Promise.resolve('done'),
        }),
      ]),
  )
  const search = toolSearch({ search: searchForAiSdk(createToolIndex(documents)), maxResults: 1 })
  const query = 'customer wants money back'
  const model = scriptedModel([[{ id: 'c1', tool: 'search', input: { query } }], 'Found.'])
  const tools = { search, ...deferred }
  await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(3) })
  const offered = requestsOf(model).map(({ tools }) => (tools ?? []).map(({ name }) => name))
  expect(offered).toEqual([['search'], ['search', 'refundOrder']])
})

test('skills, and tools the step has not, are no answer', async () => {
  const search = searchForAiSdk(createToolIndex(documents))
  const tools = [{ name: 'findOrder' }, { name: 'refunds' }]
  expect(await search({ query: 'order money back', tools })).toEqual(['findOrder'])
})
