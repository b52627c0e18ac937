import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatEvent } from '../../../../src/workbench/playground/chat/chat-event.ts'
import { openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { removeAllTables } from '../../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import { openShop, type Shop, workbenchCatalog } from './open-shop.ts'

/** A request that was written down before anything answered it. */
interface WrittenRequest {
  readonly say: string
  /** The tools that may serve it; absent for one that no tool serves. */
  readonly tools?: readonly string[]
  /** Facts that the answer must have. */
  readonly shows?: readonly string[]
}

function requestsOf(file: string): readonly WrittenRequest[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WrittenRequest)
}

const REQUESTS = requestsOf('requests-in-a-persons-words.jsonl')

/** Forty more, with which no rule was made. */
const FURTHER = requestsOf('further-requests.jsonl')

const catalog = await workbenchCatalog()
let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => {
  shop.close()
  await removeAllTables()
})

interface Said {
  readonly text: string
  readonly calls: readonly string[]
  readonly failed: readonly string[]
  readonly status: string
}

/** Says something to the scripted agent in a session of its own. */
async function answerTo(say: string): Promise<Said> {
  const { services } = shop
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'assistant', services })
  const { chat } = await openChat({ workspace, chats: null, ask: async () => null })
  const events: ChatEvent[] = []
  const turn = chat.say(say.replace('{{site}}', shop.site), new AbortController().signal)
  for await (const event of turn) events.push(event)
  await workspace.close()
  const texts = events.map((event) => (event.type === 'text' ? event.text : ''))
  const ended = events.flatMap((event) => (event.type === 'call.ended' ? [event] : []))
  const end = events.at(-1)
  return {
    text: texts.join(''),
    calls: ended.filter(({ ok }) => ok).map(({ tool }) => tool),
    failed: ended.filter(({ ok }) => !ok).map(({ tool, text }) => `${tool} ${text}`),
    status: end?.type === 'turn.ended' ? end.status : '',
  }
}

const LISTS = 'This is what I can do:'

/** Says all requests, and returns those that were not served, and those that got something else than the list. */
async function sayAll(requests: readonly WrittenRequest[]) {
  const notServed: string[] = []
  const wrong: string[] = []
  for (const { say, tools, shows = [] } of requests) {
    const { text, calls, failed, status } = await answerTo(say)
    const isServed =
      tools !== undefined &&
      status === 'done' &&
      tools.includes(calls.at(-1) ?? '') &&
      shows.every((fact) => text.includes(fact))
    if (isServed) continue
    notServed.push(say)
    if (!text.includes(LISTS) || calls.length > 0) {
      wrong.push(`${say} -> ${calls.join(' ')} ${failed.join(' ')}: ${text.slice(0, 200)}`)
    }
  }
  return { notServed, wrong }
}

test('of a hundred requests at least eighty are served with real results, and the others get a list of what it can do', async () => {
  const { notServed, wrong } = await sayAll(REQUESTS)
  expect(REQUESTS).toHaveLength(100)
  expect(100 - notServed.length).toBeGreaterThanOrEqual(80)
  expect(wrong).toEqual([])
})

test('of forty further requests, thirty of which a tool can serve, at least twenty-four are served, and at most four get something else than the list', async () => {
  const { notServed, wrong } = await sayAll(FURTHER)
  expect(FURTHER).toHaveLength(40)
  expect(40 - notServed.length).toBeGreaterThanOrEqual(24)
  expect(wrong.length).toBeLessThanOrEqual(4)
})
