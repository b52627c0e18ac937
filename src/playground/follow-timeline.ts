import { sanitiseLine } from '../kernel/sanitise-line.ts'
import { thrownMessage } from '../session/handler/thrown-message.ts'
import type { Moments } from './moments.ts'
import { changePane, paneState } from './pane-state.ts'
import { entryOf, entryRow, TIMELINE } from './timeline-row.ts'
import type { UiState, UiStore } from './ui-state.ts'

/** What following a timeline needs of a session. */
export interface TimelineSession {
  readonly ui: UiStore
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
  const show = async (seq: number) => {
    const busy = `looking at #${seq}`
    const moments = session.moments()
    if (moments.ready(seq) === null) ui.setState({ busy })
    try {
      await moments.look(seq)
      if (cursor(ui.getState()) === seq) ui.setState({ moment: seq })
    } catch (error) {
      const text = `#${seq} cannot be shown: ${sanitiseLine(thrownMessage(error))}`
      const banner = { tone: 'refused', text, difference: null, tokens: null } as const
      ui.setState((state) => ({ ...toNow(state), banner: { ...banner, prefixKept: null } }))
    } finally {
      if (ui.getState().busy === busy) ui.setState({ busy: null })
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
    else void show(wanted)
  })
  let last = newest()
  ui.setState(toNow)
  return {
    entriesCame() {
      const isNow = cursor(ui.getState()) === last
      last = newest()
      // The other state is a new object, too: it wakes the views that show entries.
      ui.setState((state) => (isNow && state.moment === null ? toNow(state) : { ...state }))
    },
    stop,
  }
}
