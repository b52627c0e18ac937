import { expect, test } from 'vitest'
import {
  planExposure,
  type ExposureOutlook,
} from '../../../../src/workspace/offer/exposure/plan-exposure.ts'
import {
  factsOfModel,
  PROVIDER_FACTS,
  type ProviderName,
} from '../../../../src/workspace/offer/exposure/provider-facts.ts'

const few: Omit<ExposureOutlook, 'provider'> = {
  initialTools: 8,
  pinnedTools: 4,
  laterTools: 0,
  loadableSkills: 0,
  search: false,
  bridge: false,
}
const skills = { ...few, laterTools: 30, loadableSkills: 10 }
const searched = { ...skills, search: true, bridge: true }

test.each<[string, ProviderName, Omit<ExposureOutlook, 'provider'>, string]>([
  ['nothing comes later', 'anthropic', few, 'active'],
  ['nothing comes later', 'compatible', few, 'active'],
  ['skills without tools', 'compatible', { ...few, loadableSkills: 9 }, 'active'],
  ['skills bring tools', 'anthropic', skills, 'deferred'],
  ['skills bring tools', 'openai', skills, 'append'],
  ['skills bring tools', 'google', skills, 'append'],
  ['skills bring tools', 'compatible', skills, 'append'],
  ['tools are searched for', 'anthropic', searched, 'deferred'],
  ['tools are searched for', 'google', searched, 'bridge'],
  ['tools are searched for', 'compatible', searched, 'bridge'],
  ['no call_tool is offered', 'google', { ...searched, bridge: false }, 'append'],
])('%s, for %s', (_, provider, outlook, strategy) => {
  const choice = planExposure({ provider: PROVIDER_FACTS[provider], ...outlook })
  expect(choice.strategy).toBe(strategy)
  expect(choice.prices[0]?.strategy).toBe(strategy)
  expect(choice.prices.map(({ price }) => price)).toEqual(
    choice.prices.map(({ price }) => price).toSorted((a, b) => a - b),
  )
})

test.each<[string, ProviderName, string, ExposureOutlook['carries'], string]>([
  ['takes additions and removals', 'anthropic', 'claude-opus-4-8', undefined, 'conversation'],
  ['takes additions', 'openai', 'gpt-5.4', ['additions'], 'conversation'],
  ['has an adapter that carries none', 'openai', 'gpt-5.4', [], 'active'],
  ['takes none', 'openai', 'gpt-4.1', undefined, 'active'],
])('a server may change tools: a model that %s', (_, provider, model, carries, strategy) => {
  const facts = factsOfModel(provider, model)
  const choice = planExposure({ provider: facts, ...few, ...(carries && { carries }) })
  expect(choice.strategy).toBe(strategy)
  if (strategy === 'conversation') {
    expect(choice.why).toBe(
      `A server, the host or a person may change tools, and ${provider} accepts them in the conversation: nothing that was sent changes.`,
    )
  }
})

test('when the cache saves nothing, available tools are sent directly', () => {
  const provider = { ...PROVIDER_FACTS.compatible, read: 1, write: 1 }
  expect(planExposure({ provider, ...searched })).toMatchObject({
    strategy: 'active',
    why: 'compatible charges no more for new text than for cached text, so available tools are sent directly.',
  })
})

test('a choice says what decided it', () => {
  const why = (provider: ProviderName, outlook: Omit<ExposureOutlook, 'provider'>) =>
    planExposure({ provider: PROVIDER_FACTS[provider], ...outlook }).why
  expect([
    why('anthropic', few),
    why('anthropic', skills),
    why('google', skills),
    why('compatible', searched),
  ]).toMatchInlineSnapshot(`
    [
      "No skill adds tools later and search is off. If a server or the host changes tools, anthropic reads the instructions and conversation again: it gets no changes in the conversation.",
      "Tools are added later, and anthropic accepts them in the conversation: nothing that was sent changes.",
      "Tools are added later, and google then has to read the instructions and conversation again: adding them at the end loses least.",
      "Tools are added later, and each one in the request would make compatible read the conversation again: with call_tool the request does not change.",
    ]
  `)
})
