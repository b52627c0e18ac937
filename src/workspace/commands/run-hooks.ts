import type { HookCall } from '../../engine/decide/decision.ts'
import { thrownMessage } from './thrown-message.ts'

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
