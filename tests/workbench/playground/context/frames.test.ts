import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createFrames } from '../../../../src/workbench/playground/context/frames.ts'
import { aPlayground } from '../a-playground.ts'

/** Waits for the turn in which a frame is prepared, and for that in which it is drawn. */
async function aFrame(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

afterEach(() => vi.useRealTimers())

/** A playground that counts how often it is drawn. */
async function counted(skills?: Parameters<typeof aPlayground>[0]) {
  const { context, workspace } = await aPlayground(skills)
  await aFrame()
  let drawn = 0
  context.frames.subscribe(() => (drawn += 1))
  return { context, workspace, drawn: () => drawn }
}

test('all changes in one turn of the event loop are drawn in one frame', async () => {
  const { context, workspace, drawn } = await counted()
  context.ui.setState({ filtering: true })
  context.ui.setState({ filtering: false, marks: [1] })
  await workspace.activateSkill('reporting')
  expect(drawn()).toBe(0)
  await aFrame()
  expect(drawn()).toBe(1)
})

test('what a frame shows besides the stores is read again for a change while it was prepared', async () => {
  const { context, workspace } = await aPlayground()
  const { ui } = context
  let read: readonly number[] = []
  const frames = createFrames(ui, workspace.store, async () => {
    read = ui.getState().marks
  })
  ui.setState({ marks: [1] })
  // The frame is prepared, and not drawn yet.
  await setImmediate()
  ui.setState({ marks: [2] })
  await aFrame()
  await aFrame()
  frames.stop()
  expect(read).toEqual([2])
})

test('an action in progress is shown once it takes long, and hidden when it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { context, drawn } = await counted()
  const { frames, ui } = context
  ui.setState({ busy: 'activating music' })
  vi.advanceTimersByTime(49)
  await aFrame()
  expect([frames.busy(), drawn()]).toEqual([null, 0])
  vi.advanceTimersByTime(1)
  await aFrame()
  expect([frames.busy(), drawn()]).toEqual(['activating music', 1])
  ui.setState({ busy: 'calling music' })
  await aFrame()
  expect([frames.busy(), drawn()]).toEqual(['calling music', 2])
  ui.setState({ busy: null })
  await aFrame()
  expect([frames.busy(), drawn()]).toEqual([null, 3])
})

test('an action that ends soon is never shown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { context, drawn } = await counted()
  context.ui.setState({ busy: 'activating music' })
  context.ui.setState({ busy: null })
  vi.advanceTimersByTime(1_000)
  await aFrame()
  expect(drawn()).toBe(0)
})

test('a skill whose hook takes long is drawn as pending', async () => {
  const ready = Promise.withResolvers<undefined>()
  const { context, workspace, drawn } = await counted([
    { name: 'music', description: 'Play songs.', onActivate: () => ready.promise },
  ])
  const activation = workspace.activateSkill('music')
  await aFrame()
  expect(drawn()).toBe(0)
  await expect.poll(drawn).toBe(1)
  expect(context.workspace().store.getState().pending).toEqual(['music'])
  ready.resolve(undefined)
  await activation
})
