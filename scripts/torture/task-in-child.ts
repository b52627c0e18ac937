import type { LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { taskTool } from '../../src/connections/wires/ai-sdk/task-tool.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

// A process of its own: gives tasks to subagents, approves what they ask, and prints `done` when each has answered.
// It continues what an earlier process left, and may be killed at any moment.
const { values } = parseArgs({
  options: { folder: { type: 'string', default: '' }, tasks: { type: 'string', default: '3' } },
})
const { folder } = values

/** The calls of each task: every second one asks a person first. */
const CALLS = 4

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Makes one call after the other, whatever became of those before, and then answers. */
function nextContent({ prompt }: LanguageModelV4CallOptions): LanguageModelV4Content {
  const calls = prompt.flatMap(({ role, content }) =>
    role === 'assistant' ? content.filter(({ type }) => type === 'tool-call') : [],
  ).length
  const task = /task \d+/.exec(JSON.stringify(prompt))?.[0] ?? ''
  if (calls >= CALLS) return { type: 'text', text: `${task} is done` }
  const toolName = calls % 2 === 0 ? 'read' : 'wipe'
  const input = JSON.stringify({ what: `${task}, call ${calls}` })
  return { type: 'tool-call', toolCallId: `call-${calls}`, toolName, input }
}

const model = new MockLanguageModelV4({
  doStream: async (options) => {
    const content = nextContent(options)
    const unified = content.type === 'tool-call' ? ('tool-calls' as const) : ('stop' as const)
    const parts =
      content.type === 'text'
        ? [
            { type: 'text-start' as const, id: '0' },
            { type: 'text-delta' as const, id: '0', delta: content.text },
            { type: 'text-end' as const, id: '0' },
          ]
        : [content as Extract<LanguageModelV4Content, { type: 'tool-call' }>]
    const finish = { type: 'finish' as const, finishReason: { unified, raw: undefined }, usage }
    const start = { type: 'stream-start' as const, warnings: [] }
    const chunks = [start, ...parts, finish]
    return {
      stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }),
    }
  },
})

const deed = (name: string, risk: 'safe' | 'destructive') =>
  defineTool({
    name,
    description: `Does ${name}.`,
    risk,
    category: risk === 'safe' ? 'retrieval' : 'action',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
    execute: (input: unknown) => {
      const { what } = input as { readonly what: string }
      process.stdout.write('call\n')
      appendFileSync(join(folder, 'deeds'), `${what}\n`)
      return what
    },
  })

const fileOf = (session: string) => join(folder, `${session}.json`)

const messages = {
  read: async (session: string) =>
    existsSync(fileOf(session)) ? JSON.parse(readFileSync(fileOf(session), 'utf8')) : undefined,
  write: async (session: string, all: unknown) => {
    writeFileSync(`${fileOf(session)}.new`, JSON.stringify(all))
    renameSync(`${fileOf(session)}.new`, fileOf(session))
    process.stdout.write('stored\n')
  },
}

const catalog = await createCatalog({
  agents: [defineAgent({ name: 'worker' })],
  tools: [deed('read', 'safe'), deed('wipe', 'destructive')],
})
const log = await openSqliteLog(join(folder, 'log.sqlite'), { durability: 'os' })
// Letters are counted, so that a process starts at once.
const tokenCounter = { name: 'letters', count: (text: string) => text.length }
const options = { catalog, log, session: 'parent', tokenCounter, metaTools: [], onlyProcess: true }
const parent = await VirtualWorkspace.open(options)
const approveAll = () => {
  for (const { id, consent } of parent.state.confirmations) {
    if (consent === 'pending') void parent.approve(id, { by: 'user' })
  }
}
parent.subscribe(approveAll)
approveAll()
await parent.registerTool(taskTool(parent, { agents: ['worker'], model, messages }))
// A process makes the same step again: a task that has answered returns its recorded answer.
await parent.beginStep({ history: [{ role: 'user', content: 'Do the tasks.' }] })
const answers = await Promise.all(
  Array.from({ length: Number(values.tasks) }, (_, at) =>
    parent.callTool(
      'task',
      { agent: 'worker', prompt: `Do task ${at}.` },
      { caller: 'model', call: `task-${at}` },
    ),
  ),
)
process.stdout.write(
  `done ${JSON.stringify(answers.map((one) => (one.ok ? one.data : one.error.message)))}\n`,
)
await parent.close()
await log.close()
