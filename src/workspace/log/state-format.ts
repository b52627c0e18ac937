import { LOG_FORMAT } from '../../engine/model/event.ts'
import { EMPTY_STATE } from '../../engine/model/state.ts'
import { contentHash } from '../../kernel/content-hash.ts'

/**
 * Raised whenever the same entries fold to another state than before, though the state has the same
 * members: a snapshot of the version before would be believed otherwise. A test folds recorded
 * sessions and says when that is so.
 */
const FOLD = 3

/**
 * What a snapshot has to say it is for this version to look at it: the format of entries, the members
 * of a state, and how it is folded.
 */
export const STATE_FORMAT = `${LOG_FORMAT}.${FOLD}.${contentHash(EMPTY_STATE).slice(7, 15)}`
