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
 * Put the tools of an offer together: the meta-tools, then the host's tools that loaded skills bring,
 * in the order the skills came, so that a later one changes nothing before its own. Of a name in both
 * records the given one is used.
 *
 * Called once a step with every tool a host has, so it looks only at those that come out.
 */
export function selectTools(
  { tools }: Exposure,
  { registered, given, only, meta }: ToolOffer,
): ToolSet {
  const selected: ToolSet = { ...meta }
  for (const name of tools) {
    if (only !== null && !only.has(name)) continue
    const tool = own(given, name) ?? own(registered, name)
    if (tool !== undefined) put(selected, name, tool)
  }
  return Object.assign(selected, meta)
}

/** One look-up, and a second for the few names that every object has. */
function own(record: DomainToolSet, name: string): DomainToolSet[string] | undefined {
  const tool = record[name]
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : tool
}

/** Plain assignment to `__proto__` would change the object instead of adding to it. */
function put(selected: ToolSet, name: string, tool: ToolSet[string]): void {
  if (name !== '__proto__') selected[name] = tool
  else Object.defineProperty(selected, name, { ...OWN, value: tool })
}

const OWN = { enumerable: true, configurable: true, writable: true }
