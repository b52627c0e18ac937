import { inTurns } from '../../kernel/serial-queue.ts'
import type { UiStore } from '../context/ui-state.ts'

const queues = new WeakMap<UiStore, ReturnType<typeof inTurns>>()

/**
 * The queue of a screen: its person's changes of the session, and going on with another workspace
 * after the skills on disk changed. So no change meets a workspace that was closed under it.
 */
export function screenTurns(ui: UiStore): ReturnType<typeof inTurns> {
  const queue = queues.get(ui) ?? inTurns()
  queues.set(ui, queue)
  return queue
}
