import { AsyncLocalStorage } from 'node:async_hooks'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { HookCall } from '../../engine/decide/decision.ts'
import type { Draft } from '../../engine/model/workspace-event.ts'
import type { SkillHookContext } from '../../skills/definition/skill.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { withTimeLimit } from './with-time-limit.ts'

/** Runs one hook until it ends or reaches its time limit; rejects with its error. */
export type RunHook = (call: HookCall, undo: boolean) => Promise<void>

/** The outcome of hooks that run one after another. */
type HooksOutcome = { readonly ok: true } | FailedHooks

/** The hook that failed, and the outcome of undoing those before it. */
export interface FailedHooks extends UndoOutcome {
  readonly ok: false
  readonly failed: HookCall
  readonly message: string
}

/** The skills whose hooks were undone, and those whose undo failed, in order. */
interface UndoOutcome {
  readonly undone: readonly string[]
  readonly undoFailed: readonly string[]
}

/** Runs hooks one after another; when one fails, undoes the hooks before it in reverse order. */
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

/** Undoes hooks, the last one first, each by the opposite hook of its skill. Never rejects. */
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

/**
 * Returns a function that runs the hooks of the skills in a catalog.
 *
 * @param timeoutMs the time limit of one hook, in milliseconds
 * @param closing aborted when the workspace closes: running hooks end at once, and are not awaited
 */
export function hookRunner(
  engine: { readonly catalog: Catalog },
  timeoutMs: number,
  context: () => Pick<SkillHookContext, 'session' | 'services' | 'principal'>,
  closing: AbortSignal,
): RunHook {
  return async ({ skill, hook, resumed = false }, undo) => {
    const definition = engine.catalog.skills.get(skill)
    if (definition?.[hook] === undefined) return
    await withTimeLimit(
      `${hook} of "${skill}"`,
      timeoutMs,
      (signal) => definition[hook]?.({ ...context(), skill, signal, resumed, undo }),
      closing,
    )
  }
}

/** A running hook, for the code that it calls. */
export interface HookScope {
  /** The dispatcher that runs it. A hook may command another workspace. */
  readonly owner: object
  readonly skill: string
  /** False once the hook has ended. Code that it started may give commands from then on. */
  open: boolean
  /** The refusals of commands inside the hook, appended together with the entries of the activation. */
  readonly refusals: Draft[]
  /** The hook of another workspace that gave the command of this activation. */
  readonly outer: HookScope | undefined
}

/**
 * Marks the code that a hook calls. A command from inside a hook is refused: it would wait for its turn
 * in the queue, and the activation that has the turn waits for the hook.
 */
export const hookScope = new AsyncLocalStorage<HookScope>()

/** Returns the running hook of a dispatcher that called the current code, directly or through other workspaces. */
export function runningHookOf(owner: object): HookScope | undefined {
  let scope = hookScope.getStore()
  while (scope && !(scope.open && scope.owner === owner)) scope = scope.outer
  return scope
}
