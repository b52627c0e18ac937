import type { ReadonlySessionStore } from '../../workspace/commands/session-store.ts'
import type { UiState, UiStore } from './ui-state.ts'

/**
 * Milliseconds after which what is under way is told. What ends sooner would only flicker, and each
 * frame takes its time.
 */
const SLOW_MS = 50

/** When the screen of a session is drawn. */
export interface Frames {
  /**
   * Told once, in a turn of its own, of everything that changed in one turn of the event loop: a
   * command that waits for nothing comes to one frame, however many steps it takes.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** What has been under way for so long that a person wants to know; null when nothing has. */
  readonly busy: () => string | null
  /** Draw what came from elsewhere. */
  wake(): void
  /** Go on with the store of another workspace. */
  follow(store: ReadonlySessionStore): void
  stop(): void
}

/** Follow what a screen shows. */
export function createFrames(ui: UiStore, store: ReadonlySessionStore): Frames {
  const listeners = new Set<() => void>()
  let next: NodeJS.Immediate | undefined
  const wake = () => {
    next ??= setImmediate(() => {
      next = undefined
      for (const listener of listeners) listener()
    })
  }
  const busy = delayedNotice(wake)
  const pending = delayedNotice(wake)
  const stopUi = ui.subscribe((state, before) => {
    const wasTold = busy.isLong()
    if (state.busy === null) busy.end()
    else busy.begin()
    if (wasTold || before.busy === state.busy || differsExceptBusy(state, before)) wake()
  })
  const listen = (to: ReadonlySessionStore) =>
    to.subscribe((now, before) => {
      const wasTold = pending.isLong()
      if (now.pending.length === 0) pending.end()
      else pending.begin()
      if (wasTold || now.state !== before.state) wake()
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

/** Whether more differs than what is under way. */
function differsExceptBusy(state: UiState, before: UiState): boolean {
  const fields = Object.keys(state) as (keyof UiState)[]
  return fields.some((field) => field !== 'busy' && state[field] !== before[field])
}

/** Tells once of what is not over after a while. */
function delayedNotice(tell: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isLong = false
  return {
    isLong: () => isLong,
    begin() {
      timer ??= setTimeout(() => {
        isLong = true
        tell()
      }, SLOW_MS)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      isLong = false
    },
  }
}
