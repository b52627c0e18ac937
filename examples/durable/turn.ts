import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { durableTurn } from 'loadout/ai-sdk'
import { openSqliteLog } from 'loadout/sqlite'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

// A turn in a process of its own: node turn.ts <folder>. The process dies after each step that it makes, before the step is
// saved, and another one goes on.
const [folder = '.'] = process.argv.slice(2)

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  requiresConfirmation: true,
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
await using log = await openSqliteLog(join(folder, 'sessions.sqlite'))

const { text, steps } = await durableTurn({
  open: () => VirtualWorkspace.open({ catalog, log, session: 'chat', onlyProcess: true }),
  // A real agent has a real model here.
  model: scriptedModel([
    { tool: 'loadSkill', input: { skillName: 'refunds' } },
    { tool: 'refund', input: { order: '7' } },
    { tool: 'refund', input: { order: '8' } },
    'Both orders were paid back.',
  ]),
  messages: [{ role: 'user', content: 'Pay orders 7 and 8 back.' }],
  run: { engine: 'files', id: 'run-1' },
  // What an engine does: the result of a step is saved, and returned when the step is asked for again.
  async step(name, work) {
    const saved = join(folder, `${name}.json`)
    if (existsSync(saved)) return JSON.parse(readFileSync(saved, 'utf8'))
    const result = await work()
    const died = join(folder, `${name}.died`)
    if (!existsSync(died)) {
      writeFileSync(died, '')
      process.kill(process.pid, 'SIGKILL')
    }
    writeFileSync(saved, JSON.stringify(result))
    return result
  },
  // An engine waits here for a person, for days if need be.
  wait: async () => true,
})
process.send?.({ text, steps })
