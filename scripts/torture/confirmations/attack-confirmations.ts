import { approvePayment, askedIn, openTill, pay, PAY } from './open-till.ts'
import type { Dice } from '../torture-part.ts'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { decide } from '../../../src/engine/decide/decide.ts'
import type { Order } from '../../../src/engine/model/command.ts'
import type { EngineContext } from '../../../src/engine/model/engine-context.ts'
import type { WorkspaceState } from '../../../src/engine/model/workspace-state.ts'
import { contentHash, type ContentHash, textHash } from '../../../src/kernel/content-hash.ts'
import { bindTool } from '../../../src/tools/definition/make-tool.ts'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'

/** The result of an attack. */
export interface AttackResult {
  readonly tried: number
  /** The faults: none of the attempts may be accepted. */
  readonly failures: readonly string[]
}

/** Questions that are open while their ids are guessed. */
const WAITING = 20

/** Guesses and alters the ids of open questions. */
export async function guessIds(count: number, dice: Dice): Promise<AttackResult> {
  const paid: string[] = []
  const till = await openTill(createMemoryLog(), (order) => paid.push(order))
  for (let order = 0; order < WAITING; order += 1) await pay(till, `order-${order}`)
  const ids = till.state.confirmations.map(({ id }) => id)
  const failures: string[] = []
  for (let tried = 0; tried < count; tried += 1) {
    const guess = alteredId(ids[dice(ids.length)] ?? '', dice)
    if (ids.includes(guess)) continue
    const outcome = await till.approve(guess)
    if (outcome.ok || outcome.code !== 'confirmation-unknown') failures.push(`accepted "${guess}"`)
  }
  for (let order = 0; order < WAITING; order += 1) await pay(till, `order-${order}`)
  if (paid.length > 0) failures.push(`paid ${paid.join(', ')}`)
  const waiting = till.state.confirmations
  if (waiting.length !== WAITING) failures.push(`${waiting.length} of ${WAITING} questions wait`)
  await till.close()
  return { tried: count, failures }
}

/** Calls with other arguments than the approved ones, and then with exactly the approved ones. */
export async function alterArguments(count: number, dice: Dice): Promise<AttackResult> {
  const paid: string[] = []
  const till = await openTill(createMemoryLog(), (order) => paid.push(order))
  await approvePayment(till, 'order-1')
  const failures: string[] = []
  for (let tried = 0; tried < count; tried += 1) {
    const given = alteredArguments('order-1', dice)
    const answer = await till.callTool('pay', given)
    if (answer.ok) failures.push(`paid for ${JSON.stringify(given)}`)
  }
  const answer = await pay(till, 'order-1')
  if (!answer.ok || paid.join() !== 'order-1') failures.push(`paid in the end: ${paid.join()}`)
  await till.close()
  return { tried: count, failures }
}

/** Calls the gate with the approved call and one changed binding of its consent, for each binding. */
export async function alterBindings(count: number, dice: Dice): Promise<AttackResult> {
  const till = await openTill(createMemoryLog(), () => undefined)
  await approvePayment(till, 'order-1')
  const { state } = till
  const digest = contentHash({ order: 'order-1', amount: 1 })
  const other = (seed: number): ContentHash => textHash(`${seed} ${dice(1_000_000_000)}`)
  const context = await knowingThePayment()
  const failures: string[] = []
  const isRun = (altered: WorkspaceState, given: ContentHash): boolean =>
    decide(altered, startOf(given, altered), context).kind === 'accepted'
  if (!isRun(state, digest)) failures.push('the approved call itself was not let through')
  for (let tried = 0; tried < count; tried += 1) {
    const answers = (change: object) => state.answers.map((one) => ({ ...one, ...change }))
    const opening = state.opening && { ...state.opening, principal: `${dice(1_000_000_000)}` }
    const nobody = state.opening && { ...state.opening, principal: null }
    const altered: readonly (readonly [string, WorkspaceState, ContentHash])[] = [
      ['principal', { ...state, opening }, digest],
      ['no principal', { ...state, opening: nobody }, digest],
      ['tool hash', { ...state, answers: answers({ hash: other(tried) }) }, digest],
      ['tool', { ...state, answers: answers({ tool: `pay${dice(9)}` }) }, digest],
      ['digest', state, other(tried)],
    ]
    const [what, before, given] = altered[dice(altered.length)] ?? ['', state, digest]
    if (what !== '' && isRun(before, given)) failures.push(`another ${what} was accepted`)
  }
  await till.close()
  return { tried: count, failures }
}

/** Approves, calls several times at once, approves again, calls again: each approval runs exactly once. */
export async function replayApprovals(count: number): Promise<AttackResult> {
  const paid: string[] = []
  const till = await openTill(createMemoryLog(), (order) => paid.push(order))
  const failures: string[] = []
  for (let tried = 0; tried < count; tried += 1) {
    const order = `order-${tried}`
    const id = await approvePayment(till, order)
    const before = paid.length
    const answers = await Promise.all([pay(till, order), pay(till, order), pay(till, order)])
    const again = await till.approve(id)
    const asked = askedIn(await pay(till, order))
    if (again.ok) failures.push(`${order}: its confirmation was approved twice`)
    if (asked === null || asked === id) failures.push(`${order}: a new call did not ask`)
    const ran = paid.length - before
    const succeeded = answers.filter(({ ok }) => ok).length
    if (ran !== 1 || succeeded !== 1)
      failures.push(`${order}: ran ${ran} times, succeeded ${succeeded} times`)
    if (asked !== null) await till.deny(asked)
    if (tried % WAITING === 0) await till.beginTurn()
  }
  await till.close()
  return { tried: count, failures }
}

async function knowingThePayment(): Promise<EngineContext> {
  const tool = bindTool(PAY, () => 'paid')
  return {
    catalog: await createCatalog({}),
    agent: null,
    handlers: 'here',
    bound: ({ hash }) => (hash === tool.hash ? tool : undefined),
    tool: (hash) => (hash === tool.hash ? tool : undefined),
    skill: () => undefined,
    component: () => undefined,
  }
}

function startOf(digest: ContentHash, { open }: WorkspaceState): Order {
  const { hash } = bindTool(PAY)
  const till = open.find(({ claims }) => claims.some((claim) => claim.hash === hash))
  const command = {
    type: 'call.start' as const,
    call: 'forged',
    tool: 'pay',
    hash,
    since: till?.since ?? null,
    input: { ok: true as const, digest },
    caller: 'model' as const,
    confirmationMs: 60_000,
  }
  return { command, cause: { by: 'host' }, now: Date.now(), id: '0'.repeat(32) }
}

const HEXADECIMAL = '0123456789abcdef'

/** Returns a guess at the id of a confirmation: an invented one, or the real one with a change. */
function alteredId(id: string, dice: Dice): string {
  const place = dice(id.length)
  const digits = (count: number) =>
    Array.from({ length: count }, () => HEXADECIMAL[dice(16)]).join('')
  switch (dice(7)) {
    case 0:
      return digits(32)
    case 1:
      return id.slice(0, place)
    case 2:
      return id + digits(1 + dice(4))
    case 3:
      return `${id.slice(0, place)}${otherDigit(id[place], dice)}${id.slice(place + 1)}`
    case 4:
      return ` ${id}`
    case 5:
      return `${id}\u0000`
    default:
      return [...id].reverse().join('') === id ? '' : [...id].reverse().join('')
  }
}

function otherDigit(digit: string | undefined, dice: Dice): string {
  const others = [...HEXADECIMAL].filter((one) => one !== digit)
  return others[dice(others.length)] ?? 'g'
}

/** Returns the arguments of an approved payment with one change. */
function alteredArguments(order: string, dice: Dice): Readonly<Record<string, unknown>> {
  const amount = 1
  const given: readonly Readonly<Record<string, unknown>>[] = [
    { order, amount: 2 + dice(1_000_000) },
    { order, amount: -1 },
    { order, amount: 1.000_000_1 + dice(1_000) },
    { order: `${order}${dice(10)}`, amount },
    { order: order.slice(0, -1), amount },
    { order: ` ${order}`, amount },
    { order: order.replace('-', '‐'), amount },
    { order, amount, to: 'me' },
    { order, amount: '1' },
  ]
  return given[dice(given.length)] ?? {}
}
