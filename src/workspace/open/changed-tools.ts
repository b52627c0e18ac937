import { toolTable } from '../../engine/standing/tool-table.ts'
import { brokenPin } from '../../engine/standing/broken-pin.ts'
import { toolChanged } from '../../engine/standing/tool-changed.ts'
import type { OpeningNotice } from './opening-notice.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** Tools in quarantine: their definition is not one that was agreed to. */
export function changedTools({
  store,
  surroundings,
}: Pick<SessionParts, 'store' | 'surroundings'>): readonly OpeningNotice[] {
  const { state } = store.getState()
  if (state.pins.length === 0) return []
  return toolTable(state, surroundings)
    .rows.filter((row) => row.status === 'changed' && brokenPin(row, state) !== undefined)
    .map(({ name }) => toolChanged(name))
}
