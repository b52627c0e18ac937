import type { StoredEvent } from './stored-event.ts'
import { UPGRADES } from './upgrades.ts'

/** An event of an earlier format as this version would have written it. */
export function upgradeEvent(event: StoredEvent, format: number): StoredEvent {
  return UPGRADES.slice(format - 1).reduce((before, upgrade) => upgrade(before), event)
}
