import { AsyncLocalStorage } from 'node:async_hooks'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { HookCall } from '../../engine/decide/decision.ts'
import type { Draft } from '../../engine/model/workspace-event.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import { thrownMessage } from './thrown-message.ts'
import { withTimeLimit } from './with-time-limit.ts'

/** Runs one hook to its end or its time limit; rejects with what went wrong. */
export type RunHook = (call: HookCall, undo: boolean) => Promise<void>

/** What hooks came to, run one after another. */
type HooksOutcome = { readonly ok: true } | FailedHooks

/** The hook that failed, and what became of those before it. */
export interface FailedHooks extends UndoOutcome {
  readonly ok: false
  readonly failed: HookCall
  readonly message: string
}

/** Hooks taken back, in the order they were, and those that failed at it. */
interface UndoOutcome {
  readonly undone: readonly string[]
  readonly undoFailed: readonly string[]
}

/** Run hooks one after another; when one fails, take back the ones before it in reverse. */
export async function runHooks(hooks: readonly HookCall[], run: RunHook): Promise<HooksOutcome> {
  const done: HookCall[] = []
  for (const hook of hooks) {
    try {
      await run(hook, false)
      done.push(hook)
    } catch (error) {
      return {
        ok: false,
        failed: hook,
        message: thrownMessage(error),
        ...(await undoHooks(done, run)),
      }
    }
  }
  return { ok: true }
}

/** Take hooks back, the last one first: each by the opposite hook of its skill. */
export async function undoHooks(done: readonly HookCall[], run: RunHook): Promise<UndoOutcome> {
  const undone: string[] = []
  const undoFailed: string[] = []
  for (const { skill, hook } of done.toReversed()) {
    try {
      await run({ skill, hook: hook === 'onActivate' ? 'onDeactivate' : 'onActivate' }, true)
      undone.push(skill)
    } catch {
      undoFailed.push(skill)
    }
  }
  return { undone, undoFailed }
}

interface HookRunnerParts {
  readonly catalog: Catalog
  readonly session: string
  readonly services: unknown
  readonly principal: Principal | undefined
  /** Milliseconds one hook may take. */
  readonly timeoutMs: number
}

/** Runs hooks of the catalog's skills. */
export function hookRunner(parts: HookRunnerParts): RunHook {
  const { catalog, session, services, principal, timeoutMs } = parts
  return async ({ skill, hook, resumed = false }, undo) => {
    const definition = catalog.skills.get(skill)
    if (definition?.[hook] === undefined) return
    await withTimeLimit(`${hook} of "${skill}"`, timeoutMs, (signal) =>
      definition[hook]?.({ skill, session, signal, services, principal, resumed, undo }),
    )
  }
}

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
