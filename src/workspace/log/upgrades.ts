import { limitsInPolicy } from './limits-in-policy.ts'
import type { StoredEvent } from './stored-event.ts'

/**
 * How events came to be what they are: the function at index n takes an event of format n + 1 to
 * n + 2. One that was released is never changed. They are pure, and total over what their format's
 * versions could write; what is stored stays as it was written.
 */
export const UPGRADES: readonly ((event: StoredEvent) => StoredEvent)[] = [limitsInPolicy]
