import type { Entry, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import type { Redactor } from '../../kernel/redactor.ts'

type MemberOf<T> = T extends unknown ? keyof T : never

/**
 * Members that identify the subject of an event: names of the catalog, ids, hashes, fixed words. A
 * session cannot be folded without them, and none of them is data: the titles in a conversation are those
 * of a document that is redacted. Every other member is redacted, including those of future events.
 */
const UNREDACTED: ReadonlySet<string> = new Set([
  'type',
  'format',
  'session',
  'agent',
  'catalog',
  'setup',
  'kept',
  'tokenizer',
  'principal',
  'policy',
  'source',
  'owner',
  'definition',
  'claims',
  'lifetime',
  'requested',
  'names',
  'changed',
  'quarantined',
  'removed',
  'price',
  'tool',
  'tools',
  'found',
  'skills',
  'turn',
  'step',
  'strategy',
  'exposed',
  'sections',
  'cost',
  'usage',
  'host',
  'wrote',
  'conversation',
  'history',
  'run',
  'attempt',
  'hidden',
  'rules',
  'topics',
  'component',
  'call',
  'given',
  'search',
  'within',
  'from',
  'hash',
  'digest',
  'asked',
  'stored',
  'category',
  'caller',
  'confirmation',
  'error',
  'extraction',
  'id',
  'code',
  'command',
  'skill',
  'hook',
  'wanted',
  'undone',
  'undoFailed',
  'route',
  'reason',
  'stopped',
  'what',
  'scope',
  'intent',
  'taker',
  'allowedTools',
  'parent',
  'child',
  'spent',
  'before',
  'event',
  'holds',
] as const satisfies readonly MemberOf<WorkspaceEvent>[])

/** Removes secrets from the data and texts of a draft or an entry. Returns the same one when it has none. */
export function redactDraft<T extends Pick<Entry, 'event'>>(draft: T, redactor: Redactor): T {
  const before = Object.entries(draft.event)
  const after = before.map(([key, member]): [string, unknown] => [
    key,
    UNREDACTED.has(key) ? member : redactor.value(member),
  ])
  const isSame = after.every(([, member], index) => Object.is(member, before[index]?.[1]))
  return isSame
    ? draft
    : { ...draft, event: Object.fromEntries(after) as unknown as WorkspaceEvent }
}
