export {
  checkAppend,
  checkedPage,
  checkPrune,
  Followers,
  type LoadedSession,
  type PruneReport,
  type PruneRequest,
  type SessionPage,
  sessionPage,
  type SessionSummary,
  type StoredSnapshot,
} from '../workspace/log/event-log.ts'
export { oldTrees, planPruning } from '../workspace/log/plan-pruning.ts'
export { addReferences } from '../workspace/log/referenced-definitions.ts'
export { entryHash, parseEntry, readEntry, storedEntry } from '../workspace/log/stored-entry.ts'
