import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import { limited } from './limited.ts'
import type { RunHook } from './run-hooks.ts'

export interface HookRunnerParts {
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
    await limited(`${hook} of "${skill}"`, timeoutMs, (signal) =>
      definition[hook]?.({ skill, session, signal, services, principal, resumed, undo }),
    )
  }
}
