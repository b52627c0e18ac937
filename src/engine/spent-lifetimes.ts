import type { WorkspaceState } from './state.ts'

/**
 * Skills whose lifetime has ended: their uses are spent and none of their calls is running.
 * Turn and idle lifetimes will be judged here, too.
 */
export function spentLifetimes({ open, calls }: WorkspaceState): readonly string[] {
  return open
    .filter(
      ({ source, owner, usesLeft }) =>
        source === 'skill' &&
        usesLeft !== null &&
        usesLeft <= 0 &&
        !calls.some((call) => call.source === 'skill' && call.owner === owner),
    )
    .map(({ owner }) => owner)
}
