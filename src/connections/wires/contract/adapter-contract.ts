import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import type { Answered, AnswerOptions } from '../../../entries/adapter.ts'

/** A call of a model. */
export interface ContractCall {
  readonly id: string
  readonly name: string
  readonly input: object
}

/** An adapter under test: how it is connected, and how its API writes what the tests need. */
export interface AdapterCase<Item, Request, Answer> {
  /** Connects a workspace: returns what `conversation` returns, or has its methods. */
  connect(workspace: VirtualWorkspace): {
    next(history: readonly Item[]): Promise<Request>
    answer(answer: Answer, options?: AnswerOptions): Promise<Answered<Item>>
    resume(history: readonly Item[], options?: AnswerOptions): Promise<Answered<Item>>
  }
  /** Writes a message of the user. */
  user(text: string): Item
  /** Writes an answer of the model with calls, or with a text when there are none. */
  answer(calls: readonly ContractCall[]): Answer
  /** Writes an answer that the provider cut at its limit of tokens, in the middle of this call. */
  cut(call: ContractCall): Answer
  /** Returns the names of the tools of a request. */
  tools(request: Request): readonly string[]
  /** Returns the messages of a request, without the instructions. */
  messages(request: Request): readonly unknown[]
}

/* oxlint-disable typescript/no-explicit-any -- types of test runners, which differ */

/** The functions of a test runner that the contract uses. */
interface ContractTools {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  readonly expect: (value: unknown) => any
}

/* oxlint-enable typescript/no-explicit-any */

/** A shop whose skill has a tool that runs at once, and one that asks a person. */
async function openShop() {
  const done: string[] = []
  const tool = (name: string, asks: boolean) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      category: 'action',
      ...(asks && { requiresConfirmation: true }),
      inputSchema: { type: 'object', properties: { order: { type: 'string' } } },
      execute: () => {
        done.push(name)
        return `The result of ${name}.`
      },
    })
  const tools = [tool('find', false), tool('refund', true)]
  const shop = defineSkill({ name: 'shop', description: 'Orders.', instructions: 'Look.', tools })
  const catalog = await createCatalog({ skills: [shop] })
  const log = createMemoryLog()
  const open = () => VirtualWorkspace.open({ catalog, log, session: 'contract' })
  const workspace = await open()
  await workspace.activateSkill('shop')
  return { workspace, open, done }
}

const find: ContractCall = { id: 'call_find', name: 'find', input: { order: '7' } }
const refund: ContractCall = { id: 'call_refund', name: 'refund', input: { order: '7' } }

type Law = (
  api: AdapterCase<unknown, unknown, unknown>,
  expect: ContractTools['expect'],
) => Promise<void>

/** The laws by their names. */
const LAWS: Readonly<Record<string, Law>> = {
  'offers the tools of a skill while it is active, and no longer': async (api, expect) => {
    const { workspace } = await openShop()
    const adapter = api.connect(workspace)
    const before = api.tools(await adapter.next([api.user('Go.')]))
    expect(before.filter((tool) => ['find', 'refund'].includes(tool))).toEqual(['find', 'refund'])
    await workspace.deactivateSkill('shop')
    const after = api.tools(await adapter.next([api.user('Go.')]))
    expect(after.filter((tool) => ['find', 'refund'].includes(tool))).toEqual([])
  },

  'gives each call one result, and sends what it sent before as a prefix': async (api, expect) => {
    const { workspace, done } = await openShop()
    const adapter = api.connect(workspace)
    const history = [api.user('Go.')]
    const first = api.messages(await adapter.next(history)).map((one) => JSON.stringify(one))
    const answer = api.answer([find, { ...find, id: 'call_again' }])
    const { status, items } = await adapter.answer(answer)
    history.push(...items)
    const second = api.messages(await adapter.next(history)).map((one) => JSON.stringify(one))
    expect({ status, done }).toEqual({ status: 'continue', done: ['find', 'find'] })
    expect(workspace.state.turn).toBe(1)
    expect(second).toHaveLength(first.length + items.length)
    expect(second.slice(0, first.length)).toEqual(first)
    expect(second.join('').split('The result of find.')).toHaveLength(3)
    const last = await adapter.answer(api.answer([]))
    expect(last.status).toBe('done')
  },

  'runs the calls of an answer once, also when it is given twice': async (api, expect) => {
    const { workspace, done } = await openShop()
    const adapter = api.connect(workspace)
    await adapter.next([api.user('Go.')])
    const first = await adapter.answer(api.answer([find]))
    expect(await adapter.answer(api.answer([find]))).toEqual(first)
    expect(done).toEqual(['find'])
  },

  'refuses a tool that nobody knows, and the model reads why': async (api, expect) => {
    const { workspace, done } = await openShop()
    const adapter = api.connect(workspace)
    const history = [api.user('Go.')]
    await adapter.next(history)
    const call = { ...find, name: 'shred' }
    const { status, items } = await adapter.answer(api.answer([call]))
    const messages = api.messages(await adapter.next([...history, ...items]))
    expect({ status, done }).toEqual({ status: 'continue', done: [] })
    expect(JSON.stringify(messages)).toContain('NOT_FOUND')
  },

  'does not run the call in which an answer was cut': async (api, expect) => {
    const { workspace, done } = await openShop()
    const adapter = api.connect(workspace)
    await adapter.next([api.user('Go.')])
    const { status } = await adapter.answer(api.cut(find))
    expect({ status, done }).toEqual({ status: 'cut', done: [] })
  },

  'asks a person, and makes the call after a yes in another process': async (api, expect) => {
    const { workspace, open, done } = await openShop()
    const adapter = api.connect(workspace)
    const history = [api.user('Go.')]
    await adapter.next(history)
    const { status, items, waiting } = await adapter.answer(api.answer([find, refund]))
    history.push(...items)
    expect({ status, done }).toEqual({ status: 'waiting', done: ['find'] })
    await workspace.close()
    const again = await open()
    await again.approve(waiting[0]?.confirmation ?? '')
    const resumed = api.connect(again)
    history.push(...(await resumed.resume(history)).items)
    expect(done).toEqual(['find', 'refund'])
    const messages = JSON.stringify(api.messages(await resumed.next(history)))
    expect(messages.split('The result of refund.')).toHaveLength(2)
  },

  'does not make a call after a no, and the model reads why': async (api, expect) => {
    const { workspace, done } = await openShop()
    const adapter = api.connect(workspace)
    const history = [api.user('Go.')]
    await adapter.next(history)
    const { items, waiting } = await adapter.answer(api.answer([refund]))
    await workspace.deny(waiting[0]?.confirmation ?? '')
    history.push(...items)
    history.push(...(await adapter.resume(history)).items)
    expect(done).toEqual([])
    expect(JSON.stringify(api.messages(await adapter.next(history)))).toContain('DENIED')
  },
}

/**
 * Tests an adapter of your own: the behaviour of every adapter on `conversation`, whatever the API.
 *
 *     adapterContract({ describe, expect, test }, 'My API', { connect, user, answer, cut, tools, messages })
 *
 * @param runner the tools of the test runner, such as Vitest, Jest or Bun
 * @param name the name of the adapter, for the names of the tests
 * @param api how to connect it, and how its API writes answers and requests
 */
export function adapterContract<Item, Request, Answer>(
  runner: ContractTools,
  name: string,
  api: AdapterCase<Item, Request, Answer>,
): void {
  runner.describe(name, () => {
    for (const [law, holds] of Object.entries(LAWS)) {
      runner.test(law, () => holds(api as AdapterCase<unknown, unknown, unknown>, runner.expect))
    }
  })
}
