import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import { expected, firstModel, reopen } from '../../../tests/torture/reference-model.ts'
import { endLifetimes } from '../../../tests/torture/reference-skills.ts'
import type { Model } from '../../../tests/torture/reference-state.ts'
import type { TorturePart } from '../torture-part.ts'
import { deed, type Deed } from './deed.ts'
import { differenceOf } from './difference-of.ts'
import { doDeed, openLive, setClock, type LiveSession } from './live-session.ts'

const RUNS = 20_000

/** A command whose result the model predicts completely. */
type Act = Exclude<Deed, { do: 'search' | 'reopen' }>

/** A command, and the process that runs it. */
interface Move {
  readonly process: number
  readonly act: Act
}

/** The operations of another process that are never seen half done. */
const TOGETHER = new Set<Act['do']>(['activate', 'deactivate', 'switch', 'turn', 'step', 'call'])

/** Runs commands at once in two processes: the result is the one of some order of them. */
export const interleavings: TorturePart = {
  name: 'interleavings',
  claim:
    'Commands that run at once, in one process or two, have the result of some order of them, one after another.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(RUNS * scale)
    const seen = { runs: 0, commands: 0, conflicts: 0, orders: 0 }
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(acts, { maxLength: 6 }),
      fc.array(moves, { minLength: 2, maxLength: 4 }),
      async (scheduler, first, together) => {
        const { conflicts, orders, difference } = await playAtOnce(scheduler, first, together)
        seen.runs += 1
        seen.commands += together.length
        seen.conflicts += conflicts
        seen.orders += orders
        if (difference !== null) throw new Error(difference)
      },
    )
    const details = await fc.check(property, {
      seed,
      numRuns: wanted,
      interruptAfterTimeLimit: forMs,
    })
    const problem = details.errorInstance
    const message = problem instanceof Error ? problem.message : String(problem)
    const [, first = [], together = []] = details.counterexample ?? []
    return {
      figures: {
        'schedules of commands given at once': seen.runs,
        'commands in them': seen.commands,
        'orders tried until one fitted': seen.orders,
        'refused because of a conflict': seen.conflicts,
        'that no order explains': details.failed ? 1 : 0,
      },
      failures: details.failed
        ? [[message, ...[...first, ...together].map((one) => JSON.stringify(one))].join('\n')]
        : [],
      done: details.failed ? 1 : seen.runs / wanted,
    }
  },
}

const APART = new Set<Deed['do']>(['search', 'reopen', 'register', 'wait'])

/** Without the skill whose hook fails in the process that did not activate it. */
const acts = deed.filter(
  (one): one is Act => !APART.has(one.do) && !JSON.stringify(one).includes('frail'),
)

const moves: fc.Arbitrary<Move> = fc.record({
  process: fc.nat({ max: 1 }),
  // A failure is set for a process, not for a call.
  act: acts
    .filter((one) => TOGETHER.has(one.do))
    .map((one) => (one.do === 'call' ? { ...one, throws: false } : one)),
})

async function playAtOnce(
  scheduler: fc.Scheduler,
  first: readonly Act[],
  together: readonly Move[],
): Promise<{ conflicts: number; orders: number; difference: string | null }> {
  const kept = createMemoryLog()
  const clock = setClock()
  const one = await openLive(kept, clock, 'first', 0)
  let before = firstModel('first', 0)
  for (const act of first) {
    before = expected(before, act).stages.at(-1) ?? before
    await doDeed(one, act)
  }
  await one.workspace.close()
  // Both are opened again, so that both have the same hooks to run.
  before = reopen(before, 'first', 0)
  const log = scheduled(kept, scheduler)
  const opening = Promise.all([0, 1].map(() => openLive(log, clock, 'first', 0)))
  const processes = await scheduler.waitFor(opening)
  const answers = await scheduler.waitFor(
    Promise.all(together.map(({ process, act }) => doDeed(of(processes, process), act))),
  )
  const codes = answers.map(({ code }) => code)
  await scheduler.waitFor(Promise.all(processes.map(({ workspace }) => workspace.deny('a guess'))))
  for (const { workspace } of processes) await scheduler.waitFor(workspace.deny('a guess'))
  let orders = 0
  let fits = false
  for (const order of permutations(together.map((_, index) => index))) {
    orders += 1
    fits = inOrder(before, order, together, codes).some((after) =>
      processes.every((live) => differenceOf(live, after) === null),
    )
    if (fits) break
  }
  const [last = before] = inOrder(before, [...together.keys()], together, null)
  const difference = fits
    ? null
    : `${codes.join(', ')}: no order explains it; in the order given ${differenceOf(of(processes, 0), last) ?? 'the state does, and the answers do not'}`
  for (const { workspace } of processes) await scheduler.waitFor(workspace.close())
  return { conflicts: codes.filter((code) => code === 'conflict').length, orders, difference }
}

/**
 * Returns the models that an order of commands may lead to; none when an answer would have been different.
 */
function inOrder(
  before: Model,
  order: readonly number[],
  together: readonly Move[],
  codes: readonly string[] | null,
): readonly Model[] {
  let models: readonly Model[] = [before]
  for (const index of order) {
    const move = together[index]
    if (move === undefined || codes?.[index] === 'conflict') continue
    models = models.flatMap((model) => {
      const { code, stages } = expected(model, move.act)
      return codes === null || codes[index] === code ? endings(stages) : []
    })
  }
  return models.map(lettingGo)
}

/**
 * A turn that began and a call that ended remove expired skills with commands of their own. Commands of the
 * other process may come before those.
 */
function endings(stages: readonly Model[]): readonly Model[] {
  const last = stages.at(-1)
  return stages.filter((one) => one === last || isDeepStrictEqual(lettingGo(one), last))
}

function lettingGo(model: Model): Model {
  const after = structuredClone(model)
  endLifetimes(after, () => undefined)
  return after
}

function* permutations(items: readonly number[]): Generator<readonly number[]> {
  if (items.length < 2) yield items
  else {
    for (const [place, item] of items.entries()) {
      for (const rest of permutations(items.toSpliced(place, 1))) yield [item, ...rest]
    }
  }
}

/** A log whose answers arrive in the order of a schedule. */
function scheduled(log: EventLog, scheduler: fc.Scheduler): EventLog {
  const { immediate: _, ...rest } = log
  return {
    ...rest,
    read: scheduler.scheduleFunction(log.read),
    append: scheduler.scheduleFunction(log.append),
  }
}

function of(processes: readonly LiveSession[], index: number): LiveSession {
  const process = processes[index]
  if (process === undefined) throw new Error(`there is no process ${index}`)
  return process
}
