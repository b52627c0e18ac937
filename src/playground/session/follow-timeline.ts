import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { changePane, note, paneState, type UiState, type UiStore } from '../context/ui-state.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** What following a timeline needs of a session. */
interface TimelineSession {
  readonly ui: UiStore
  /** Draw the entries that came, wherever the cursor is. */
  wake(): void
  moments(): Moments
  /** The last entry; -1 before there is one. */
  newest(): number
}

/**
 * Keep the cursor of the timeline and the moment shown together, whichever of them moved.
 *
 * On the newest entry the screen shows now, and stays on the newest as entries come. On any other
 * one the moment is shown as soon as it is read; until then what was shown stays, and `busy` says
 * what is under way. A moment that cannot be read is told, and now is shown.
 */
export function followTimeline(session: TimelineSession): {
  /** Entries came: now is another row. */
  entriesCame(): void
  stop(): void
} {
  const { ui, newest } = session
  const cursor = (state: UiState) => entryOf(paneState(state, TIMELINE).selected)
  const toNow = (state: UiState): UiState => ({
    ...changePane(state, TIMELINE, { selected: entryRow(Math.max(0, newest())) }),
    moment: null,
  })
  /** The entry whose moment has to be read; null when the screen is where the cursor is. */
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
  /** One moment is read at a time: a key that is held down leads to a few of them, not to all. */
  const show = async () => {
    if (isReading) return
    isReading = true
    try {
      for (let seq = unread(); seq !== null; seq = unread()) {
        const busy = `looking at #${seq}`
        if (session.moments().ready(seq) === null) ui.setState({ busy })
        // Keys that came together have all been looked at then.
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
    entriesCame() {
      const isNow = cursor(ui.getState()) === last
      last = newest()
      if (isNow && ui.getState().moment === null) ui.setState(toNow)
      session.wake()
      // After another workspace was put in its place, nothing is read yet.
      void show()
    },
    stop,
  }
}

/** The pane whose cursor is the moment shown. */
export const TIMELINE = 'timeline'

/** The id of an entry's row. */
export function entryRow(seq: number): string {
  return `${seq}`
}

/** The entry of a row; null for no row. */
export function entryOf(row: string | null): number | null {
  return row === null || !/^\d+$/v.test(row) ? null : Number(row)
}

/** Looks kept at most: walking to and fro along a timeline reads no log twice. */
const MOMENTS_KEPT = 32

/** Earlier moments of one session, read once each. */
interface Moments {
  /** A look that is ready; null for one that has to be read first. */
  ready(seq: number): WorkspaceReader | null
  /** One that fails is not kept, so asking again tries again. */
  look(seq: number): Promise<WorkspaceReader>
}

/** Keep the looks asked for last; the one asked for longest ago goes first. */
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
