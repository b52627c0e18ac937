import type { ReadonlySessionStore } from '../../../entries/index.ts'
import type { UiState, UiStore } from './ui-state.ts'

/** Notifies views when the screen of a session has to be drawn. */
export interface Frames {
  /**
   * Notifies a listener once, in a later turn of the event loop, of everything that changed in one
   * turn: a command that waits for nothing takes one frame, however many changes it makes.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The action in progress, once it takes long enough to be shown; else null. */
  readonly busy: () => string | null
  /** Requests a frame for a change that is in neither store. */
  wake(): void
  /** Switches to the store of another workspace. */
  follow(store: ReadonlySessionStore): void
  stop(): void
}

/**
 * Follows the stores that a screen shows.
 *
 * @param prepare reads what a frame shows besides the stores; when it takes long, another frame follows
 */
export function createFrames(
  ui: UiStore,
  store: ReadonlySessionStore,
  prepare: () => Promise<unknown>,
): Frames {
  const listeners = new Set<() => void>()
  let next: NodeJS.Immediate | undefined
  /** True when something changed after what the next frame shows was read. */
  let isStale = false
  const wake = () => {
    isStale = true
    next ??= setImmediate(() => {
      isStale = false
      let isLate = false
      void prepare().then(() => {
        if (isLate) wake()
      })
      next = setImmediate(() => {
        next = undefined
        isLate = true
        for (const listener of listeners) listener()
        if (isStale) wake()
      })
    })
  }
  const busy = delayedNotice(wake)
  const pending = delayedNotice(wake)
  const stopUi = ui.subscribe((state, before) => {
    const wasShown = busy.isLong()
    if (state.busy === null) busy.end()
    else busy.begin()
    if (wasShown || before.busy === state.busy || differsExceptBusy(state, before)) wake()
  })
  const listen = (to: ReadonlySessionStore) =>
    to.subscribe((now, before) => {
      const wasShown = pending.isLong()
      if (now.pending.length === 0) pending.end()
      else pending.begin()
      if (wasShown || now.state !== before.state) wake()
    })
  let stopStore = listen(store)
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    busy: () => (busy.isLong() ? ui.getState().busy : null),
    wake,
    follow(to) {
      stopStore()
      pending.end()
      stopStore = listen(to)
      wake()
    },
    stop() {
      stopUi()
      stopStore()
      busy.end()
      pending.end()
      clearImmediate(next)
    },
  }
}

/** Returns true when more than the action in progress differs. */
function differsExceptBusy(state: UiState, before: UiState): boolean {
  const fields = Object.keys(state) as (keyof UiState)[]
  return fields.some((field) => field !== 'busy' && state[field] !== before[field])
}

/** Milliseconds before an action in progress is shown. A shorter one would only flicker. */
const SLOW_MS = 50

/** Calls `notify` once when something that began has not ended after `SLOW_MS`. */
function delayedNotice(notify: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isLong = false
  return {
    isLong: () => isLong,
    begin() {
      timer ??= setTimeout(() => {
        isLong = true
        notify()
      }, SLOW_MS)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      isLong = false
    },
  }
}
