import { AsyncLocalStorage } from 'node:async_hooks'
import type { Draft } from '../../engine/model/event.ts'

/** A hook that is running, as code called from it finds it. */
export interface HookScope {
  /** The dispatcher it belongs to: a hook may well command another workspace. */
  readonly owner: object
  readonly skill: string
  /** False once the hook has ended; what it left running commands normally then. */
  open: boolean
  /** Refusals made inside, appended together with what the activation comes to. */
  readonly refusals: Draft[]
  /** The hook of another workspace whose command this activation is. */
  readonly outer: HookScope | undefined
}

/**
 * Tells a command made inside a hook from one made beside it. Such a command is refused:
 * the queue is held by the very activation that waits for the hook.
 */
export const hookScope = new AsyncLocalStorage<HookScope>()

/** The running hook of this dispatcher that led here, however many workspaces are between. */
export function runningHookOf(owner: object): HookScope | undefined {
  let scope = hookScope.getStore()
  while (scope && !(scope.open && scope.owner === owner)) scope = scope.outer
  return scope
}
