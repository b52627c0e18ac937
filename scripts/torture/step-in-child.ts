import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, type ModelMessage, ToolLoopAgent } from 'ai'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { forAiSdk } from '../../src/connections/wires/ai-sdk/for-ai-sdk.ts'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import type { ModelAnswer } from '../../tests/wires/server/answer.ts'
import { RESPONSES_FORM } from '../../tests/wires/server/responses-form.ts'
import type { JsonObject } from '../../tests/wires/wire.ts'

// A process of its own: makes one step of an agent, with the messages that the engine saved, and prints `done` with
// those of the step. The answer of the model is kept in the log before its calls are made. It prints a line at each moment at which it may be killed.
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    process: { type: 'string', default: '' },
  },
})
const { folder } = values

type Said = readonly { readonly tool: string; readonly input: object }[]

const load = (skillName: string): Said => [{ tool: 'loadSkill', input: { skillName } }]
const order = (tool: string, number: number): Said => [{ tool, input: { order: number } }]

/** The answers of the model before its last one. */
const SCRIPT: readonly Said[] = [
  load('orders'),
  order('read', 1),
  order('pay', 1),
  [...order('read', 2), ...order('pay', 2), ...order('book', 2)],
  order('cancel', 3),
  load('letters'),
  order('write', 1),
  [...order('write', 2), ...order('write', 3)],
  order('book', 4),
  order('pay', 4),
  order('missing', 1),
  [{ tool: 'unloadSkill', input: { skillName: 'letters' } }],
  order('read', 5),
  [...order('cancel', 5), ...order('book', 5)],
  order('pay', 5),
  load('letters'),
  order('write', 5),
  [...order('pay', 6), ...order('pay', 7)],
  order('read', 7),
]

/** Counts its answers in the request. As with every provider, the calls of a request that is made again have other ids. */
function answer(body: JsonObject): ModelAnswer {
  const steps = JSON.stringify(body['input']).matchAll(/"call_id":"step-(\d+)-/g)
  const at = Math.max(-1, ...Array.from(steps, ([, step]) => Number(step))) + 1
  const said = SCRIPT[at]
  if (said === undefined) return { text: `Done after ${at} steps.` }
  return {
    calls: said.map(({ tool, input }) => ({
      name: tool,
      input,
      id: `step-${at}-${randomUUID()}`,
    })),
  }
}

const { responses } = createOpenAI({
  apiKey: 'none',
  fetch: async (_, init) => {
    const body = JSON.parse(String(init?.body)) as JsonObject
    const wire = 'openai-responses'
    const response = RESPONSES_FORM.response(answer(body), { wire, body, number: 1 })
    writeFileSync(join(folder, `request-${values.process}.json`), JSON.stringify(body))
    process.stdout.write('request\n')
    return Response.json(response)
  },
})

const deeds = join(folder, 'deeds')

/** A tool with an effect outside of the process. One that is idempotent looks for the effect under the id of its call. */
const deed = (name: string, more: object) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { order: { type: 'integer' } } },
    async execute(input: unknown, { call }) {
      process.stdout.write('call\n')
      await new Promise(setImmediate)
      const line = `${call.id} ${name} ${JSON.stringify(input)}\n`
      const isDone = existsSync(deeds) && readFileSync(deeds, 'utf8').includes(line)
      if (!isDone || more === ONCE) appendFileSync(deeds, line)
      process.stdout.write('deed\n')
      await new Promise(setImmediate)
      return { name, input }
    },
    ...more,
  })

const ONCE = { category: 'action' } as const
const AGAIN = { category: 'action', idempotent: true } as const

const catalog = await createCatalog({
  agents: [defineAgent({ name: 'clerk' })],
  skills: [
    defineSkill({
      name: 'orders',
      description: 'Orders.',
      instructions: 'Pay each order once.',
      tools: [
        deed('read', { category: 'retrieval', idempotent: true }),
        deed('pay', ONCE),
        deed('book', AGAIN),
        deed('cancel', { ...AGAIN, requiresConfirmation: true }),
      ],
    }),
    defineSkill({
      name: 'letters',
      description: 'Letters.',
      instructions: 'Write short letters.',
      tools: [deed('write', ONCE)],
    }),
  ],
})

await using log = await openSqliteLog(join(folder, 'log.sqlite'), { durability: 'os' })
const workspace = await VirtualWorkspace.open({
  catalog,
  log,
  agent: 'clerk',
  session: 'chat',
  onlyProcess: true,
  provider: 'openai',
  // Letters are counted, so that a process starts at once.
  tokenCounter: { name: 'letters', count: (text: string) => text.length },
})
process.stdout.write('open\n')
const agent = new ToolLoopAgent({
  // A model to which changes of tools are sent within the conversation.
  model: responses('gpt-5.4'),
  ...forAiSdk(workspace, { durable: {} }),
  stopWhen: isStepCount(1),
  providerOptions: { openai: { store: false } },
})
const messages = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')) as ModelMessage[]
const { responseMessages, finishReason, content } = await agent.generate({ messages })
// A person says yes to each question, and the engine saves that with the step.
const answers = content.flatMap((part) =>
  part.type === 'tool-approval-request'
    ? [
        {
          type: 'tool-approval-response' as const,
          approvalId: part.approvalId,
          approved: true,
        },
      ]
    : [],
)
const saved: ModelMessage[] = [
  ...messages,
  ...responseMessages,
  ...(answers.length > 0 ? [{ role: 'tool' as const, content: answers }] : []),
]
const isDone = finishReason !== 'tool-calls'
process.stdout.write(`done ${JSON.stringify({ messages: saved, isDone })}\n`)
await workspace.close()
