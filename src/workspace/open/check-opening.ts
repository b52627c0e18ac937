import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import type { WorkspaceOptions } from './workspace-options.ts'
import { isLooking } from './is-looking.ts'

/** A session goes on only as what it was opened as. */
export function checkOpening(
  options: WorkspaceOptions,
  { session, counter, surroundings, store }: SessionParts,
): void {
  const opening = store.getState().state.opening
  const is = {
    agent: surroundings.agent?.name ?? null,
    principal: options.principal?.id ?? null,
    tokenizer: counter.name,
  }
  for (const key of isLooking(options) ? [] : (['agent', 'principal', 'tokenizer'] as const)) {
    if (opening?.[key] === is[key]) continue
    throw new WorkspaceError(
      'SESSION_MISMATCH',
      `Session "${session}" was opened with the ${key} ${JSON.stringify(opening?.[key])}, not ${JSON.stringify(is[key])}.`,
      { hint: `Give it the same ${key}, or open another session.`, facts: { session, key } },
    )
  }
}
