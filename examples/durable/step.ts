import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isStepCount, ToolLoopAgent, wrapLanguageModel, type ModelMessage } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { openSqliteLog } from 'loadout/sqlite'
import { z } from 'zod'
import { answersInFolder } from './answers-in-folder.ts'
import { savedAnswer } from './saved-answer.ts'
import { scriptedModel } from './scripted-model.ts'

// One step, in a process of its own: node step.ts <folder> <number>. Reads messages.json and sends the messages of the
// step to the engine. The engine kills this process whenever it likes.
const [folder = '.', number = '1'] = process.argv.slice(2)

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  inputSchema: z.object({ order: z.string() }),
  execute({ order }) {
    // An effect outside of the process: the file counts how often it happened.
    appendFileSync(join(folder, 'paid.txt'), `${order}\n`)
    return { order, paidBack: true }
  },
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pays orders back.',
  instructions: 'Pay each order back once.',
  tools: [refund],
})
const catalog = await createCatalog({ skills: [refunds] })

// A real agent has a real model here.
const scripted = scriptedModel([
  { tool: 'loadSkill', input: { skillName: 'refunds' } },
  { tool: 'refund', input: { order: '7' } },
  { tool: 'refund', input: { order: '8' } },
  'Both orders were paid back.',
])
// Its answer to this step is saved before the calls of the answer are made.
const middleware = savedAnswer(answersInFolder(folder), number)
const model = wrapLanguageModel({ model: scripted, middleware })

await using log = await openSqliteLog(join(folder, 'sessions.sqlite'))
const workspace = await VirtualWorkspace.open({ catalog, log, session: 'chat', onlyProcess: true })
const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(1) })
const messages = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')) as ModelMessage[]
const { responseMessages, finishReason, text } = await agent.generate({ messages })
const recorded = (await workspace.entries()).filter(({ event }) => event.type === 'call.retried')
process.send?.({
  messages: [...messages, ...responseMessages],
  isDone: finishReason !== 'tool-calls',
  text,
  retried: recorded.length,
})
await workspace.close()
