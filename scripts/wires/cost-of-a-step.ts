import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, tool } from 'ai'
import { createCatalog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { providerTool } from 'loadout/adapter'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { WIRE_FORMS } from '../../tests/wires/server/open-wire-server.ts'
import type { Wire } from '../../tests/wires/wire.ts'
import type { WirePart } from './wire-part.ts'

const TURNS = 155
const RUNS = 12
const SKILLS = 14

/** Compares one step through each adapter with the same request with plain tools, in time of the processor. */
export const costOfAStep: WirePart = {
  name: 'cost',
  claim: `One step through each adapter in a conversation of ${TURNS} turns with 45 tools, minus the same call of the SDK with plain tools and instructions: time of the processor, the least of ${RUNS} runs that took turns. The provider is a function that answers at once.`,
  columns: ['adapter', 'at turn 10', 'at turn 150', 'turn 150 / turn 10'],
  async run() {
    const rows: (string | number)[][] = []
    for (const { name, open } of WAYS) {
      const least = { adapter: [Infinity, Infinity], plain: [Infinity, Infinity] }
      for (let run = 0; run < RUNS; run += 1) {
        for (const way of ['plain', 'adapter'] as const) {
          const workspace = await openOffice()
          const taken = await timesOf(await open(workspace, way === 'plain'))
          await workspace.close()
          least[way] = least[way].map((before, index) => Math.min(before, taken[index] ?? before))
        }
      }
      const [early = 0, late = 0] = least.adapter.map((time, at) => time - (least.plain[at] ?? 0))
      rows.push([name, ms(early), ms(late), Number((late / early).toFixed(2))])
    }
    return { rows, failures: [] }
  },
}

function ms(microseconds: number): string {
  return `${Number((microseconds / 1000).toPrecision(2))} ms`
}

/** Returns the time of a turn around turns 10 and 150: the median of eleven, in microseconds. */
async function timesOf(turn: Turn): Promise<readonly number[]> {
  const times: number[] = []
  for (let number = 0; number <= TURNS; number += 1) {
    const before = process.cpuUsage()
    await turn(`This is what the user says in turn ${number}.`)
    const { user, system } = process.cpuUsage(before)
    times.push(user + system)
  }
  return [10, 150].map(
    (at) => times.slice(at - 5, at + 6).toSorted((one, other) => one - other)[5] ?? 0,
  )
}

/** Makes one request with the complete history, and keeps the answer. */
type Turn = (text: string) => Promise<void>

interface Way {
  readonly name: string
  open(workspace: VirtualWorkspace, isPlain: boolean): Promise<Turn>
}

async function openOffice(): Promise<VirtualWorkspace> {
  const skills = Array.from({ length: SKILLS }, (_, index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `Works with records of kind ${index}.`,
      instructions: 'Look before you answer. '.repeat(10),
      tools: ['find', 'open', 'close'].map((verb) =>
        defineTool({
          name: `${verb}_${index}`,
          description: `Does what ${verb} says to a record, and returns it in a few words.`,
          category: 'retrieval',
          inputSchema: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'Id of the record.' },
              limit: { type: 'integer', minimum: 1, maximum: 100 },
            },
            required: ['id'],
            additionalProperties: false,
          },
          execute: () => ({ found: 1 }),
        }),
      ),
    }),
  )
  const agents = [defineAgent({ name: 'clerk', prompt: 'You help the clerks.' })]
  const catalog = await createCatalog({ skills, agents })
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk' })
  for (const { name } of skills) await workspace.activateSkill(name)
  if (workspace.getAvailableTools().length !== 45) throw new Error('There are not 45 tools.')
  return workspace
}

/** A provider that answers at once. */
function provider(wire: Wire): typeof fetch {
  const answer = { text: 'Done.' }
  const text = JSON.stringify(
    WIRE_FORMS[wire].response(answer, { wire, body: { model: 'm' }, number: 1 }),
  )
  return async () => new Response(text, { headers: { 'content-type': 'application/json' } })
}

function aiSdk(name: string, model: LanguageModel): Way {
  return {
    name,
    async open(workspace, isPlain) {
      const settings = isPlain
        ? {
            instructions: workspace.prompt().instructions,
            tools: Object.fromEntries(
              workspace.getAvailableTools().map(({ name: key, description, inputSchema }) => [
                key,
                tool({
                  description,
                  inputSchema: jsonSchema(inputSchema),
                  execute: () => Promise.resolve({ found: 1 }),
                }),
              ]),
            ),
          }
        : forAiSdk(workspace)
      const messages: ModelMessage[] = []
      return async (text) => {
        messages.push({ role: 'user', content: text })
        const { responseMessages } = await generateText({ ...settings, model, messages })
        messages.push(...responseMessages)
      }
    },
  }
}

const openAi = (wire: Wire) => new OpenAI({ apiKey: 'k', fetch: provider(wire) })

const WAYS: readonly Way[] = [
  aiSdk(
    'AI SDK, OpenAI',
    createOpenAI({ apiKey: 'k', fetch: provider('openai-responses') }).responses('gpt-5.4'),
  ),
  aiSdk(
    'AI SDK, Anthropic',
    createAnthropic({ apiKey: 'k', fetch: provider('anthropic') })('claude-opus-4-8'),
  ),
  {
    name: 'OpenAI Responses',
    async open(workspace, isPlain) {
      const client = openAi('openai-responses')
      const conversation = forOpenAI(workspace, { model: 'gpt-5.4' })
      const { instructions } = workspace.prompt()
      const tools = workspace.getAvailableTools().map((one) => providerTool(one, 'openai'))
      const input: ResponseInputItem[] = []
      return async (text) => {
        input.push({ role: 'user', content: text })
        if (!isPlain) return void (await conversation.run(client, { input }))
        const plain = { model: 'gpt-5.4', instructions, tools, input }
        const { output } = await client.responses.create(plain)
        input.push(...(output as ResponseInputItem[]))
      }
    },
  },
  {
    name: 'Chat Completions',
    async open(workspace, isPlain) {
      const client = openAi('openai-chat')
      const conversation = forChatCompletions(workspace)
      const { instructions } = workspace.prompt()
      const tools = workspace.getAvailableTools().map((one) => providerTool(one, 'openai-chat'))
      const messages: ChatCompletionMessageParam[] = []
      return async (text) => {
        if (isPlain && messages.length === 0)
          messages.push({ role: 'system', content: instructions })
        messages.push({ role: 'user', content: text })
        if (!isPlain) return void (await conversation.run(client, { model: 'qwen3', messages }))
        const { choices } = await client.chat.completions.create({
          model: 'qwen3',
          messages,
          tools,
        })
        if (choices[0]) messages.push(choices[0].message)
      }
    },
  },
  {
    name: 'Anthropic',
    async open(workspace, isPlain) {
      const client = new Anthropic({ apiKey: 'k', fetch: provider('anthropic-beta') })
      const conversation = forAnthropic(workspace, { model: 'claude-opus-4-8' })
      const { instructions: system } = workspace.prompt()
      const tools = workspace.getAvailableTools().map((one) => providerTool(one, 'anthropic'))
      const messages: BetaMessageParam[] = []
      return async (text) => {
        messages.push({ role: 'user', content: text })
        const params = { max_tokens: 999, messages }
        if (!isPlain) return void (await conversation.run(client, params))
        const model = 'claude-opus-4-8'
        const { content } = await client.beta.messages.create({ ...params, model, system, tools })
        messages.push({ role: 'assistant', content })
      }
    },
  },
]
