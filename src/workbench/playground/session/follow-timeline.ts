import type { WorkspaceReader } from '../../../entries/index.ts'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import { changePane, note, paneState, type UiState, type UiStore } from '../context/ui-state.ts'

/**
 * Keeps the cursor of the timeline and the moment shown in sync, whichever of them moves.
 *
 * On the newest entry the screen shows now, and the cursor follows new entries. On any other entry,
 * its moment is shown once it was read; until then the last one stays, and `busy` says so. If a
 * moment cannot be read, the screen reports it and shows now.
 */
export function followTimeline(session: {
  readonly ui: UiStore
  /** Requests a frame. */
  wake(): void
  moments(): Moments
  /** The number of the last entry; -1 without entries. */
  newest(): number
}): {
  /** Call it after new entries: now is another row. */
  onNewEntries(): void
  stop(): void
} {
  const { ui, newest } = session
  const cursor = (state: UiState) => readEntryId(paneState(state, TIMELINE).selected)
  const toNow = (state: UiState): UiState => ({
    ...changePane(state, TIMELINE, { selected: entryRow(Math.max(0, newest())) }),
    moment: null,
  })
  /** The entry whose moment has to be read; null when the screen shows that of the cursor. */
  const unread = (): number | null => {
    const state = ui.getState()
    const seq = cursor(state)
    const isShown = state.moment === seq && seq !== null && session.moments().ready(seq) !== null
    return seq === null || seq >= newest() || isShown ? null : seq
  }
  const read = async (seq: number) => {
    try {
      await session.moments().look(seq)
      if (cursor(ui.getState()) === seq) ui.setState({ moment: seq })
    } catch (error) {
      if (cursor(ui.getState()) !== seq) return
      const text = `#${seq} cannot be shown: ${sanitiseLine(thrownMessage(error))}`
      ui.setState((state) => ({ ...toNow(state), banner: note('refused', text) }))
    }
  }
  let isReading = false
  /** Reads one moment at a time, so that a key that is held down skips most of them. */
  const show = async () => {
    if (isReading) return
    isReading = true
    try {
      for (let seq = unread(); seq !== null; seq = unread()) {
        const busy = `reading #${seq}`
        if (session.moments().ready(seq) === null) ui.setState({ busy })
        // Lets all keys of one input event move the cursor first.
        await Promise.resolve()
        if (unread() === seq) await read(seq)
        if (ui.getState().busy === busy) ui.setState({ busy: null })
      }
    } finally {
      isReading = false
    }
  }
  const stop = ui.subscribe((state, before) => {
    const wanted = cursor(state)
    if (state.moment !== before.moment) {
      const seq = state.moment ?? newest()
      if (wanted === seq) return
      if (state.moment === null) ui.setState(toNow)
      else ui.setState(changePane(state, TIMELINE, { selected: entryRow(seq) }))
      return
    }
    if (wanted === null || wanted === cursor(before)) return
    if (wanted >= newest()) ui.setState(toNow)
    else void show()
  })
  let last = newest()
  ui.setState(toNow)
  return {
    onNewEntries() {
      const isNow = cursor(ui.getState()) === last
      last = newest()
      if (isNow && ui.getState().moment === null) ui.setState(toNow)
      session.wake()
      // After a switch to another workspace, no moment is cached yet.
      void show()
    },
    stop,
  }
}

/** The id of the pane whose cursor selects the moment shown. */
export const TIMELINE = 'timeline'

/** Returns the id of an entry's row. */
export function entryRow(seq: number): string {
  return `${seq}`
}

/** Returns the number of the entry of a row; null for another id. */
export function readEntryId(row: string | null): number | null {
  return row === null || !/^\d+$/v.test(row) ? null : Number(row)
}

/** Moves the screen to an entry: the timeline has the focus, and its moment is shown. */
export function goToEntry({ ui }: { readonly ui: UiStore }, seq: number): void {
  ui.setState((state) => ({
    ...changePane(state, TIMELINE, { filter: '', selected: entryRow(seq) }),
    focus: TIMELINE,
    list: TIMELINE,
  }))
}

/** The most cached moments: moving back and forth along a timeline reads nothing twice. */
const MOMENTS_KEPT = 32

/** Earlier moments of one session, each read once. */
interface Moments {
  /** Returns a cached moment; null for one that has to be read first. */
  ready(seq: number): WorkspaceReader | null
  /** Returns or reads a moment. A failure is not cached, so the next call tries again. */
  look(seq: number): Promise<WorkspaceReader>
}

/** Caches moments; the least recently used one is dropped first. */
export function createMoments(
  read: (seq: number) => Promise<WorkspaceReader>,
  most = MOMENTS_KEPT,
): Moments {
  const kept = new Map<number, WorkspaceReader>()
  const reading = new Map<number, Promise<WorkspaceReader>>()
  const keep = (seq: number, reader: WorkspaceReader) => {
    kept.delete(seq)
    kept.set(seq, reader)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  }
  const readOnce = async (seq: number) => {
    try {
      const reader = await read(seq)
      keep(seq, reader)
      return reader
    } finally {
      reading.delete(seq)
    }
  }
  return {
    ready: (seq) => kept.get(seq) ?? null,
    look(seq) {
      const known = kept.get(seq)
      if (known !== undefined) {
        keep(seq, known)
        return Promise.resolve(known)
      }
      const running = reading.get(seq) ?? readOnce(seq)
      reading.set(seq, running)
      return running
    },
  }
}
