import type { ToolSet } from 'ai'
import type { DomainToolSet } from './domain-tools.ts'
import type { Exposure } from './exposure.ts'

/** Where the tools of one `getTools` come from. */
export interface ToolOffer {
  /** Of the loaded toolsets. */
  readonly registered: DomainToolSet
  readonly given: DomainToolSet
  /** The only names that may come out; null for all. */
  readonly only: ReadonlySet<string> | null
  /** Meta-tools, whose names nobody else has. */
  readonly meta: ToolSet
}

/**
 * Put the tools of an offer together: the meta-tools, then the host's tools that loaded skills
 * bring, as they were given. Of a name in both records the given one is used.
 */
export function selectTools(
  { tools }: Exposure,
  { registered, given, only, meta }: ToolOffer,
): ToolSet {
  const selected: ToolSet = { ...meta }
  for (const record of [registered, given]) {
    for (const [name, tool] of Object.entries(record)) {
      if (!tools.has(name) || Object.hasOwn(meta, name) || only?.has(name) === false) continue
      if (tool !== undefined) put(selected, name, tool)
    }
  }
  return selected
}

/** Plain assignment to `__proto__` would change the object instead of adding to it. */
function put(selected: ToolSet, name: string, tool: ToolSet[string]): void {
  if (name !== '__proto__') selected[name] = tool
  else
    Object.defineProperty(selected, name, {
      value: tool,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}
