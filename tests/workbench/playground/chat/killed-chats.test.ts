import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Chat } from '../../../../src/workbench/playground/chat/chat.ts'
import type { ChatEvent } from '../../../../src/workbench/playground/chat/chat-event.ts'
import {
  type ChatPlace,
  type ChatStore,
  openChatStore,
} from '../../../../src/workbench/playground/chat/chat-store.ts'
import { playScenario } from '../../../../src/workbench/playground/chat/play-scenario.ts'
import { ORDERS_PAID_BACK } from '../../../../scripts/torture/orders-paid-back.ts'
import { openUserSeal } from '../../../../src/workbench/project/trust/user-seal.ts'

const folder = mkdtempSync(join(tmpdir(), 'killed-chats-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The process dies at one of its writes: the write happens or not, and nothing after it. */
class Death {
  readonly #at: number
  readonly died = Promise.withResolvers<'died'>()
  writes = 0
  isDead = false

  constructor(at: number) {
    this.#at = at
  }

  /** Returns true when the process dies at this point. */
  #dies(): boolean {
    this.writes += 1
    if (this.writes === this.#at) {
      this.isDead = true
      this.died.resolve('died')
    }
    return this.isDead
  }

  async around<T>(write: () => Promise<T>): Promise<T> {
    if (this.#dies()) return new Promise<T>(() => {})
    const written = await write()
    return this.#dies() ? new Promise<T>(() => {}) : written
  }

  aroundNow(write: () => void): void {
    if (this.#dies()) throw new Error('The process is dead.')
    write()
    if (this.#dies()) throw new Error('The process is dead.')
  }
}

/** The world outside of the process: what the handlers did. */
function openWorld() {
  const paid: string[] = []
  let death = new Death(0)
  const orders = defineTool({
    name: 'list_orders',
    description: 'Show the open orders.',
    category: 'retrieval',
    idempotent: true,
    phrases: ['show the orders', 'which orders are open'],
    inputSchema: z.object({}),
    execute: () => ({
      orders: [7, 8, 9].map((number) => ({ number, value: number * 6 })),
    }),
  })
  const pay = defineTool({
    name: 'pay_back',
    description: 'Pay an order back.',
    category: 'action',
    risk: 'destructive',
    phrases: ['pay back order 7', 'refund an order'],
    inputSchema: z.object({ number: z.number().int().describe('Number of the order.') }),
    execute: ({ number }) =>
      death.around(async () => {
        paid.push(`order ${number}`)
        return { paid: number }
      }),
  })
  const till = defineSkill({
    name: 'till',
    description: 'Show orders and pay them back.',
    instructions: 'Look before you pay.',
    lifetime: { turns: 1 },
    tools: [orders, pay],
  })
  return {
    paid,
    till,
    begin: (next: Death) => {
      death = next
    },
  }
}

/** Talks until all is said, each time in a new process when one dies. Returns what remains. */
async function talk(name: string, deathAt: number) {
  const world = openWorld()
  const catalog = await createCatalog({ skills: [world.till] })
  const log = createMemoryLog()
  const place = { folder: join(folder, name), user: openUserSeal(join(folder, 'trust.json')) }
  let asked = 0
  const deaths: Death[] = []
  let isOver = false
  while (!isOver) {
    const death = new Death(deaths.length === 0 ? deathAt : 0)
    deaths.push(death)
    world.begin(death)
    const dying: typeof log = Object.assign(Object.create(log) as typeof log, {
      append: (...given: Parameters<typeof log.append>) => death.around(() => log.append(...given)),
      immediate: undefined,
    })
    const life = live(place, dying, catalog, death, () => void (asked += 1))
    isOver = (await Promise.race([life.catch(whenDead(death)), death.died.promise])) === 'over'
  }
  const entries = await log.read('chat')
  const store = openChatStore(place, 'chat')
  return {
    paid: world.paid,
    writes: deaths[0]?.writes ?? 0,
    answers: store.messages.flatMap(({ role, content }) =>
      role !== 'user' && typeof content !== 'string'
        ? content.flatMap((part) => {
            if (part.type === 'text') return [part.text]
            // A skill that is loaded again says so.
            const isShown = part.type === 'tool-result' && part.toolName !== 'loadSkill'
            return isShown ? [JSON.stringify(part.output)] : []
          })
        : [],
    ),
    started: entries.flatMap(({ event }) => (event.type === 'call.started' ? [event.tool] : [])),
  }
}

const whenDead = (death: Death) => (error: unknown) => {
  if (death.isDead) return 'died' as const
  throw error
}

async function live(
  place: ChatPlace,
  log: ReturnType<typeof createMemoryLog>,
  catalog: Awaited<ReturnType<typeof createCatalog>>,
  death: Death,
  onAsk: () => void,
): Promise<'over' | 'died'> {
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session: 'chat',
    onlyProcess: true,
  })
  const kept = openChatStore(place, 'chat')
  const store: ChatStore = {
    messages: kept.messages,
    withheld: kept.withheld,
    get answer() {
      return kept.answer
    },
    append: (messages) => death.aroundNow(() => kept.append(messages)),
    keepAnswer: (answer) => death.aroundNow(() => kept.keepAnswer(answer)),
  }
  const said = () => store.messages.filter(({ role }) => role === 'user')
  const model = playScenario(ORDERS_PAID_BACK, workspace, () => store.messages)
  const ask = async () => {
    onAsk()
    return 'call' as const
  }
  const chat = new Chat({ workspace, store, model, ask })
  const signal = new AbortController().signal
  const finish = async (turn: AsyncIterable<ChatEvent>) => {
    for await (const event of turn) {
      if (death.isDead) return
      if (event.type === 'turn.ended' && event.status !== 'done') throw new Error(event.status)
    }
  }
  if (chat.isOpen) await finish(chat.resume(signal))
  while (!death.isDead && said().length < ORDERS_PAID_BACK.steps.length) {
    await finish(chat.say('next', signal))
  }
  return death.isDead ? 'died' : 'over'
}

test('a conversation that is killed at any of its writes and resumed has the same end, and no call runs twice', async () => {
  const whole = await talk('whole', 0)
  expect(whole.paid).toEqual(['order 7', 'order 8', 'order 9'])
  // A text for each message, and the results of the calls.
  expect(whole.answers).toHaveLength(11)
  expect(whole.started).toMatchInlineSnapshot(`
    [
      "loadSkill",
      "list_orders",
      "loadSkill",
      "pay_back",
      "loadSkill",
      "pay_back",
      "loadSkill",
      "list_orders",
      "loadSkill",
      "pay_back",
    ]
  `)
  const different: string[] = []
  let unknown = 0
  for (let at = 1; at <= whole.writes; at += 1) {
    const { paid, answers } = await talk(`killed-${at}`, at)
    const isOnce = new Set(paid).size === paid.length
    const others = answers.filter((answer, index) => answer !== whole.answers[index])
    // In a handler that is not idempotent: the call does not run again, and the answer says so.
    const isUnknown =
      others.length === 1 && others[0]?.includes('What it did is not known') === true
    const isSame = others.length === 0 && paid.length === whole.paid.length
    if (isUnknown) unknown += 1
    if (!isOnce || !(isSame || isUnknown) || answers.length !== whole.answers.length) {
      different.push(`${at}: ${paid.join(', ')} ${JSON.stringify(others)}`)
    }
  }
  expect(different).toEqual([])
  expect(whole.writes).toBeGreaterThan(200)
  // Before and after each of two writes around the handler of each payment.
  expect(unknown).toBe(12)
})
