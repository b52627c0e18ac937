import { createCatalog, createMemoryLog, defineSkill, VirtualWorkspace } from 'loadout'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeAllTables } from '../../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import type { ChatEvent } from '../../../../src/workbench/playground/chat/chat-event.ts'
import { openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { playScenario } from '../../../../src/workbench/playground/chat/play-scenario.ts'
import { openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import type { Scenario } from '../../../../src/workbench/project/scenarios/read-scenario.ts'
import { openModel } from '../../../../src/workbench/playground/chat/open-model.ts'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { comparableEntries } from './comparable-entries.ts'
import { openShop, type Shop, workbenchCatalog } from './open-shop.ts'

const file = 'data/sales.csv'

const read = (sql: string) => [
  { call: 'loadSkill', with: { skillName: 'data-analysis' } },
  { call: 'describe_table', with: { file, table: 'sales' } },
  { call: 'query_table', with: { file, sql } },
]

const SCENARIO: Scenario = {
  scenario: 1,
  name: 'two questions about sales',
  steps: [
    {
      user: 'total quantity by region in data/sales.csv',
      model: [
        ...read('SELECT region, sum(quantity) FROM sales GROUP BY region'),
        { text: 'East sells most.' },
      ],
    },
    { user: 'what can you do?', model: [{ text: 'I read tables.' }] },
    {
      user: 'average quantity where region is west, file data/sales.csv',
      model: [...read("SELECT avg(quantity) FROM sales WHERE region = 'west'"), { text: '4.8' }],
    },
  ],
}

/** The workbench, whose tables are there for one turn. */
const workbench = await workbenchCatalog()
const analysis = workbench.skills.get('data-analysis')
if (analysis === undefined) throw new Error('The workbench has no data-analysis.')
const { name, description, instructions } = analysis
const tables = defineSkill({
  name,
  description,
  instructions,
  lifetime: { turns: 1 },
  tools: (workbench.skillTools.get(name) ?? []).map(({ tool }) => tool),
})
const catalog = await createCatalog({ skills: [tables], tools: workbench.globalTools })

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => {
  shop.close()
  await removeAllTables()
})

/** Plays the scenario, or talks with a model of this address; approves each question, and returns what happened. */
async function talk(address?: string) {
  const log = createMemoryLog()
  const { services } = shop
  const policy = { permissions: { ask: [{ tool: 'query_table' }] } }
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 'talk', services, policy })
  const ask = async () => 'call' as const
  const store = openChatStore(null, 'talk')
  const model =
    address === undefined
      ? playScenario(SCENARIO, workspace, () => store.messages)
      : await openModel({ address })
  const { chat } = openChat({ workspace, store, ask, model })
  const events: ChatEvent[] = []
  for (const { user = '' } of SCENARIO.steps) {
    const message = address === undefined ? 'next' : user
    for await (const event of chat.say(message, new AbortController().signal)) events.push(event)
  }
  await workspace.close()
  return { events, entries: await log.read('talk') }
}

/** One line for each event that a person would notice. */
function story(events: readonly ChatEvent[]): readonly string[] {
  const lines: string[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'text') text += event.text
    else if (text !== '') {
      lines.push(`says ${text.split('\n').slice(0, 3).join(' / ')}`)
      text = ''
    }
    switch (event.type) {
      case 'turn.begun':
        lines.push(`> ${event.text}`)
        break
      case 'call.ended':
        lines.push(`${event.tool} ${event.ok ? 'ran' : 'failed'}`)
        break
      case 'skills.changed':
        lines.push(
          ...event.activated.map((one) => `+ ${one}`),
          ...event.deactivated.map((one) => `- ${one}`),
        )
        break
      case 'asked':
        lines.push(`asks about ${event.tool}`)
        break
      case 'turn.ended':
        lines.push(event.status)
        break
      default:
    }
  }
  return lines
}

/** The answers of a conversation, as a server sends them. */
function answersOf(events: readonly ChatEvent[]): readonly Answer[] {
  const answers: Answer[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'text') text += event.text
    if (event.type === 'call.started') {
      answers.push([{ id: event.call, name: event.tool, input: event.input }])
    }
    if (event.type === 'turn.ended') {
      answers.push(text)
      text = ''
    }
  }
  return answers
}

test('a scenario is played move by move: a question activates a skill, its tool asks, the answer comes, and the skill leaves; a server with the same answers makes the same entries', async () => {
  const played = await talk()
  expect(story(played.events)).toMatchInlineSnapshot(`
    [
      "> total quantity by region in data/sales.csv",
      "loadSkill ran",
      "+ data-analysis",
      "describe_table ran",
      "asks about query_table",
      "query_table ran",
      "says East sells most.",
      "done",
      "> what can you do?",
      "- data-analysis",
      "says I read tables.",
      "done",
      "> average quantity where region is west, file data/sales.csv",
      "loadSkill ran",
      "+ data-analysis",
      "describe_table ran",
      "asks about query_table",
      "query_table ran",
      "says 4.8",
      "done",
    ]
  `)
  const server = await openWireServer({ answers: answersOf(played.events) })
  const served = await talk(`${server.url}/v1#local`)
  await server.close()
  expect(server.violations).toEqual([])
  expect(story(served.events)).toEqual(story(played.events))
  expect(comparableEntries(served.entries)).toEqual(comparableEntries(played.entries))
})
