import type { Tool } from './tool.ts'

/** The reason why a handler may not run in this process, although it is bound. */
interface WithheldReason {
  readonly message: string
  readonly hint: string
}

/** Decides if handlers may run, such as those of a folder that a person trusted. */
interface HandlerGuard {
  /** Null when its handlers may run. Changes are noted with `noteWithheld`. */
  readonly withheld: WithheldReason | null
  /** Looks again, before a call. Returns undefined when nothing can have changed. Must not reject. */
  check(): Promise<void> | undefined
}

const guards = new WeakMap<NonNullable<Tool['execute']>, HandlerGuard>()

let changes = 0

/** Has a handler guarded from now on: by the guard, or by none. */
export function guardHandler({ execute }: Pick<Tool, 'execute'>, guard?: HandlerGuard): void {
  if (execute === undefined || guards.get(execute) === guard) return
  if (guard === undefined) guards.delete(execute)
  else guards.set(execute, guard)
  noteWithheld()
}

/** Notes that handlers are withheld, or no longer. What follows from it is computed again. */
export function noteWithheld(): void {
  changes += 1
}

/** Returns a number that is another one after each change of what is withheld. */
export function withheldChanges(): number {
  return changes
}

/** Returns why the handler of a tool may not run; null when it may, or when there is none. */
export function withheldReason(tool: Pick<Tool, 'execute'> | undefined): WithheldReason | null {
  const guard = tool?.execute && guards.get(tool.execute)
  return guard?.withheld ?? null
}

/** Has the guard of a handler look again. Returns undefined when there is nothing to wait for. */
export function checkHandler(tool: Pick<Tool, 'execute'> | undefined): Promise<void> | undefined {
  return tool?.execute && guards.get(tool.execute)?.check()
}
