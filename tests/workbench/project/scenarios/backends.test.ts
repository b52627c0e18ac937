import { createCatalog, defineTool } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { chatModel } from '../../../../src/workbench/playground/chat/chat-model.ts'
import {
  adapterModel,
  WIRE_ADAPTERS,
} from '../../../../src/workbench/project/scenarios/adapter-model.ts'
import type {
  Scenario,
  ScenarioAnswer,
} from '../../../../src/workbench/project/scenarios/read-scenario.ts'
import {
  runScenario,
  type ScenarioHost,
} from '../../../../src/workbench/project/scenarios/run-scenario.ts'
import {
  answerCalls,
  type ScenarioModel,
} from '../../../../src/workbench/project/scenarios/scenario-model.ts'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { workbenchHost, workbenchScenarios } from './workbench-scenarios.ts'

/** The expectations that do not hold, in one line each. */
async function verdict(scenario: Scenario, host: ScenarioHost, model: ScenarioModel | null) {
  const { steps } = await runScenario(scenario, host, model)
  return steps.flatMap(({ step, unmet }) =>
    unmet.map(({ expectation, actual }) => `${step} ${expectation} ${JSON.stringify(actual)}`),
  )
}

test.each([
  ...WIRE_ADAPTERS.map((name) => [name, adapterModel(name)] as const),
  ['ai-sdk', chatModel({})],
] as const)(
  'all scenarios of the workbench pass through the adapter %s, as on the engine alone',
  async (_, model) => {
    const host = await workbenchHost()
    const wrong: string[] = []
    for (const [name, scenario] of await workbenchScenarios()) {
      wrong.push(...(await verdict(scenario, host, model)).map((one) => `${name}: ${one}`))
    }
    expect(wrong).toEqual([])
  },
)

test('all scenarios of the workbench pass with the model of a server that checks every request', async () => {
  const host = await workbenchHost()
  const wrong: string[] = []
  let requests = 0
  for (const [name, scenario] of await workbenchScenarios()) {
    const answers = scenario.steps.flatMap(({ user, model = [] }) =>
      user === undefined ? [] : answersOfServer(model),
    )
    const server = await openWireServer({ answers })
    const model = chatModel({ address: `${server.url}/v1#local` })
    wrong.push(...(await verdict(scenario, host, model)).map((one) => `${name}: ${one}`))
    expect(server.violations).toEqual([])
    requests += server.requests.length
    await server.close()
  }
  expect(wrong).toEqual([])
  expect(requests).toBeGreaterThan(60)
})

/** A server ends each turn with a text. */
function answersOfServer(answers: readonly ScenarioAnswer[]): readonly Answer[] {
  const served = answers.map((answer): Answer =>
    'text' in answer
      ? answer.text
      : answerCalls(answer).map(({ call: name, with: input = {} }) => ({ name, input })),
  )
  const last = answers.at(-1)
  return last !== undefined && 'text' in last ? served : [...served, 'I am done.']
}

test('a planted fault is caught through an adapter, too', async () => {
  const host = await workbenchHost()
  const missed: string[] = []
  for (const [name, scenario] of await workbenchScenarios()) {
    const faulty = PLANTED_FAULTS[name]?.(host) ?? host
    const unmet = await verdict(scenario, faulty, adapterModel('openai-chat'))
    if (unmet.length === 0) missed.push(name)
  }
  expect(missed).toEqual([])
})

test('tools are called by their names in the session, whatever the provider calls them', async () => {
  const catalog = await createCatalog({
    tools: [
      defineTool({
        name: 'shop.find_order',
        description: 'Find an order.',
        inputSchema: z.object({ number: z.number() }),
        execute: ({ number }) => ({ number, paid: true }),
      }),
    ],
  })
  const find = { call: 'shop.find_order', with: { number: 7 } }
  const scenario: Scenario = {
    scenario: 1,
    name: 'an order is found',
    rules: { ask: ['shop.*'] },
    approve: ['shop.find_order'],
    steps: [
      {
        user: 'Is order 7 paid?',
        model: [{ calls: [find, { call: 'nothing' }] }, find, { text: 'It is.' }],
        expect: {
          calls: ['shop.find_order', 'nothing', 'shop.find_order'],
          asked: ['shop.find_order', 'shop.find_order'],
          ok: true,
          data: { paid: true },
          answer: ['It is'],
        },
      },
    ],
  }
  for (const model of [null, ...WIRE_ADAPTERS.map(adapterModel), chatModel({})]) {
    expect(await verdict(scenario, { catalog }, model)).toEqual([])
  }
})
