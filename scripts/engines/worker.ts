import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type EventLog, replaySession, type VirtualWorkspace } from 'loadout'
import type { DurableTurnOptions } from 'loadout/ai-sdk'
import { openPostgresLog } from 'loadout/postgres'
import { type Agent, createAgent } from '../../examples/engines/agent.ts'
import type { Order, Report } from './messages.ts'

// A worker of an engine, in a process of its own: it makes the turns that it is ordered to, and kills itself at the points
// that the files of their sessions name.
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'dbos' },
    /** Of the log, and of the engine unless that has a server of its own. */
    database: { type: 'string', default: '' },
    server: { type: 'string' },
    port: { type: 'string' },
    folder: { type: 'string', default: '' },
    /** Makes no steps of the engine: the turn is made again from its beginning. */
    whole: { type: 'boolean', default: false },
  },
})
const { engine, database, server = database, folder, whole } = values

/** One run has the attention of all workers at a time. */
const file = (name: string) => join(folder, readFileSync(join(folder, 'current'), 'utf8'), name)

const lines = (name: string): readonly string[] =>
  existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split('\n') : []

/** Passes a point of a run, and dies there if it is one of those. */
function pass(point: string): void {
  appendFileSync(file('points'), `${point}\n`)
  if (lines('dies').includes(`${lines('points').length}`)) process.kill(process.pid, 'SIGKILL')
}

function effect(tool: string, text: string): void {
  pass(`before ${tool} in its handler`)
  appendFileSync(file('effects'), `${tool} ${text}\n`)
  pass(`after ${tool} in its handler`)
}

const log = await openPostgresLog(database)

/** The log, with a point before and after each append. */
const watched: EventLog = new Proxy(log, {
  get(target, name) {
    const member = Reflect.get(target, name) as unknown
    if (typeof member !== 'function') return member
    return async (...given: unknown[]) => {
      if (name !== 'append') return Reflect.apply(member, target, given)
      const entries = given[2] as Parameters<EventLog['append']>[2]
      const names = [...new Set(entries.map(({ event }) => event.type))].join(', ')
      pass(`before the append of ${names}`)
      const result: unknown = await Reflect.apply(member, target, given)
      pass(`after the append of ${names}`)
      return result
    }
  },
})

const send = (report: Report) => process.send?.(report)

const agent = await createAgent(
  watched,
  { note: (text) => effect('note', text), refund: (order) => effect('refund', `${order}`) },
  ({ id }) => {
    pass('at the question')
    send({ type: 'asked', question: id, session: readFileSync(join(folder, 'current'), 'utf8') })
  },
)

const mortal: Agent = {
  ...agent,
  model: {
    ...agent.model,
    async doGenerate(options) {
      pass('before the request')
      appendFileSync(file('prompts'), `${JSON.stringify(options.prompt)}\n`)
      const answer = await agent.model.doGenerate(options)
      pass('after the request')
      return answer
    },
  },
  async open(session) {
    const workspace: VirtualWorkspace = await agent.open(session)
    const close = workspace.close.bind(workspace)
    Object.defineProperty(workspace, 'close', {
      async value() {
        await close()
        pass('before the step is saved')
      },
    })
    return workspace
  },
}

interface Worker {
  run(session: string, messages: readonly object[]): Promise<string | undefined>
  answer?(session: string, approved: boolean): Promise<string | undefined>
}

const inPlace: DurableTurnOptions['step'] = (_, work) => work()
const { startWorker } = await import(`../../examples/engines/${engine}.ts`)
const own = engine === 'restate' ? [Number(values.port)] : []
const step = engine === 'restate' ? () => inPlace : inPlace
const worker: Worker = await startWorker(server, mortal, ...own, ...(whole ? [step] : []))

process.on('message', async ({ type, session }: Order) => {
  const text =
    type === 'run'
      ? await worker.run(session, [{ role: 'user', content: 'Pay order 7 back, please.' }])
      : await worker.answer?.(session, true)
  if (text === undefined) return
  const entries = await log.read(session)
  send({
    type: 'ended',
    session,
    text,
    asked: entries.filter(({ event }) => event.type === 'confirmation.asked').length,
    replayed: replaySession(JSON.parse(JSON.stringify(entries))).entries.length,
    entries: entries.length,
  })
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })
