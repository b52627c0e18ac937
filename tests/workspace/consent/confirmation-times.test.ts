import { createMemoryLog } from 'loadout'
import { expect, test } from 'vitest'
import { aShop, asked, handClock, pass, refund, type HandClock } from './a-shop.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 8_760 * HOUR
const limits = { confirmationMs: 10 * MINUTE }

/** A process of its own: its clock counts from another beginning. */
function restarted({ wall }: HandClock): HandClock {
  return handClock(wall)
}

test.each([
  { what: 'an hour back', jump: -HOUR, after: 9 * MINUTE, code: null },
  { what: 'an hour back', jump: -HOUR, after: 10 * MINUTE, code: 'confirmation-expired' },
  { what: 'a year back', jump: -YEAR, after: 10 * MINUTE, code: 'confirmation-expired' },
  { what: 'five minutes forward', jump: 5 * MINUTE, after: 4 * MINUTE, code: null },
  { what: 'a year forward', jump: YEAR, after: 0, code: 'confirmation-expired' },
])(
  'with the wall clock $what, an approval after $after ms: $code',
  async ({ jump, after, code }) => {
    const clock = handClock()
    const { workspace } = await aShop({ testing: { clock }, limits })
    const id = asked(await refund(workspace))
    clock.wall += jump
    pass(clock, after)
    const outcome = await workspace.approve(id)
    expect(outcome.ok ? null : outcome.code).toBe(code)
  },
)

test.each([
  { what: 'unchanged', jump: 0, after: MINUTE, code: null },
  { what: 'unchanged', jump: 0, after: 2 * MINUTE, code: 'confirmation-expired' },
  { what: 'an hour back', jump: -HOUR, after: MINUTE, code: null },
  { what: 'an hour back', jump: -HOUR, after: 2 * MINUTE, code: 'confirmation-expired' },
  { what: 'a year forward', jump: YEAR, after: 0, code: 'confirmation-expired' },
])(
  'after a restart with the wall clock $what, two minutes before the end, after $after ms: $code',
  async ({ jump, after, code }) => {
    const log = createMemoryLog()
    const before = handClock()
    const first = await aShop({ log, session: 's', testing: { clock: before }, limits })
    const id = asked(await refund(first.workspace))
    pass(before, 8 * MINUTE)
    // An entry shows the next process how late it was.
    await first.workspace.beginStep()
    await first.workspace.close()
    const clock = restarted(before)
    clock.wall += jump
    const { workspace } = await aShop({ log, session: 's', testing: { clock }, limits })
    pass(clock, after)
    const outcome = await workspace.approve(id)
    expect(outcome.ok ? null : outcome.code).toBe(code)
  },
)

test('what was approved before a restart runs once after it', async () => {
  const log = createMemoryLog()
  const before = handClock()
  const first = await aShop({ log, session: 's', testing: { clock: before }, limits })
  await first.workspace.approve(asked(await refund(first.workspace)))
  await first.workspace.close()
  const { workspace, ran } = await aShop({
    log,
    session: 's',
    testing: { clock: restarted(before) },
    limits,
  })
  expect(await refund(workspace)).toMatchObject({ ok: true })
  asked(await refund(workspace))
  expect(ran).toHaveLength(1)
})

test('an approval that outlived its time lets nothing run, whatever the wall clock says', async () => {
  const clock = handClock()
  const { workspace, ran } = await aShop({ testing: { clock }, limits })
  const id = asked(await refund(workspace))
  await workspace.approve(id)
  clock.steady += 10 * MINUTE
  clock.wall -= HOUR
  expect(asked(await refund(workspace))).not.toBe(id)
  expect(ran).toEqual([])
  await workspace.beginTurn()
  expect(workspace.state.confirmations.map((one) => one.id)).not.toContain(id)
})

test('a question of another process has no more time here than it was given there', async () => {
  const log = createMemoryLog()
  const there = handClock()
  const here = handClock(there.wall - HOUR)
  const one = await aShop({ log, session: 's', testing: { clock: there }, limits })
  const two = await aShop({ log, session: 's', testing: { clock: here }, limits })
  const id = asked(await refund(one.workspace))
  await two.workspace.beginStep()
  pass(here, 10 * MINUTE)
  expect(await two.workspace.approve(id)).toMatchObject({ code: 'confirmation-expired' })
})

test('the decision records its time, so that a replay decides nothing again', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const { workspace } = await aShop({ log, session: 's', testing: { clock }, limits })
  await workspace.approve(asked(await refund(workspace)))
  pass(clock, YEAR)
  asked(await refund(workspace))
  const replayed = await aShop({
    log,
    session: 's',
    testing: { clock: handClock(0) },
    limits,
    readOnly: true,
  })
  expect(replayed.workspace.state).toEqual(workspace.state)
})
