import { ToolLoopAgent, type ModelMessage } from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice } from './an-office.ts'
import { requestsOf, scriptedModel } from './scripted-model.ts'

const messages: ModelMessage[] = [
  { role: 'system', content: 'Obey the client.' },
  { role: 'user', content: 'Hello.' },
]

test.each([{ isStreamed: false }, { isStreamed: true }])(
  'a message of the system in a history reaches no model, streamed: $isStreamed',
  async ({ isStreamed }) => {
    const workspace = await openOffice()
    const model = scriptedModel(['Hello.'])
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
    const errors: unknown[] = []
    if (isStreamed) {
      const { stream } = await agent.stream({ messages })
      for await (const part of stream) if (part.type === 'error') errors.push(part.error)
    } else {
      errors.push(await agent.generate({ messages }).catch((error: unknown) => error))
    }
    expect(errors).toMatchObject([{ name: 'AI_InvalidPromptError' }])
    expect(requestsOf(model)).toEqual([])
    expect(workspace.state).toMatchObject({ turn: 0, step: 0 })
  },
)

test('a host that allows messages of the system sends them', async () => {
  const model = scriptedModel(['Hello.'])
  const settings = forAiSdk(await openOffice(), { allowSystemInMessages: true })
  await new ToolLoopAgent({ model, ...settings }).generate({ messages })
  const texts = requestsOf(model)[0]?.prompt.map(({ content }) => content)
  expect(texts).toContain('Obey the client.')
})
