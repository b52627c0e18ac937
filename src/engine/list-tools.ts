import type { Tool } from '../registry/tool.ts'
import { skillLoadedByCall, type LoadingCall } from './skill-loaded-by-call.ts'
import type { Surroundings } from './surroundings.ts'
import type { WorkspaceState } from './state.ts'
import type { ToolStatus } from './status.ts'
import type { ToolSource } from './tool-source.ts'
import { toolTable } from './tool-table.ts'

/** One tool of a listing: registered, or brought by a skill that is not active. */
export interface ToolListing {
  /** How it is addressed: a name, or `owner/name` when the name is another's. */
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  readonly asks: boolean
  readonly tool: Tool | undefined
}

/** Every tool a session knows of, each name once: the registered ones, then those of other skills. */
export function listTools(
  state: WorkspaceState,
  surroundings: Surroundings,
): readonly ToolListing[] {
  const table = toolTable(state, surroundings)
  const listed: ToolListing[] = table.rows.map(({ name, owner, status, asks, tool }) => ({
    name,
    source: owner.source,
    owner: owner.owner,
    status,
    asks,
    tool,
  }))
  const names = new Map(listed.map(({ name, tool }) => [name, tool?.hash]))
  const called = foundByName(state, surroundings)
  for (const [skill, tools] of surroundings.catalog.skillTools) {
    for (const { tool } of tools) {
      const address = `${skill}/${tool.name}`
      const holder = names.get(tool.name)
      const full = `skill:${address}`
      const loading = called.get(tool.name)
      const isOthers = loading !== undefined && loading.skill !== skill
      if (holder === tool.hash || table.byAddress.has(full)) continue
      if (isOthers && loading.found.hash === tool.hash) continue
      const isTaken = names.has(address) || table.byAddress.has(address)
      const name = isOthers || names.has(tool.name) ? (isTaken ? full : address) : tool.name
      names.set(name, tool.hash)
      listed.push({
        name,
        source: 'skill',
        owner: skill,
        status: 'skill-inactive',
        asks: false,
        tool,
      })
    }
  }
  return listed
}

/** The found tools that a call loads, by the name they are called by: nobody else is listed by it. */
function foundByName(
  state: WorkspaceState,
  surroundings: Surroundings,
): ReadonlyMap<string, LoadingCall> {
  return new Map(
    state.found.flatMap(({ name }) => {
      const loading = skillLoadedByCall(state, surroundings, name)
      return loading === null ? [] : [[name, loading] as const]
    }),
  )
}
