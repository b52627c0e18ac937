import type { Tool } from '../registry/tool.ts'
import type { Surroundings } from './surroundings.ts'
import { standingOf } from './standing-of.ts'
import type { WorkspaceState } from './state.ts'
import type { ToolRow } from './tool-row.ts'
import { beats, sameOwner, type HeldClaim } from './winner.ts'

/** Every registered tool with its standing, in the order owners came. */
export interface ToolTable {
  readonly rows: readonly ToolRow[]
  /** Rows by the name they are addressed by; shadowed ones only as `owner/name`. */
  readonly byName: ReadonlyMap<string, ToolRow>
  /** Every row by `owner/name`, those that hold their name too, and by the name it was defined as. */
  readonly byAddress: ReadonlyMap<string, ToolRow>
  /** What can be called now, one tool a name. */
  readonly available: readonly Tool[]
}

const memo = new WeakMap<Surroundings, { facts: readonly unknown[]; table: ToolTable }>()

/** The tool table of a state: computed once for the facts it reads. */
export function toolTable(state: WorkspaceState, surroundings: Surroundings): ToolTable {
  const { open, disabled, broken, callsThisTurn, policy } = state
  const facts = [open, disabled, broken, callsThisTurn, policy]
  const known = memo.get(surroundings)
  if (known?.facts.every((fact, index) => fact === facts[index])) return known.table
  const table = compute(state, surroundings)
  memo.set(surroundings, { facts, table })
  return table
}

function compute(state: WorkspaceState, surroundings: Surroundings): ToolTable {
  const held = Map.groupBy(
    state.open.flatMap((source) => source.claims.map((claim) => ({ source, claim }))),
    ({ claim }) => claim.name,
  )
  const rows: ToolRow[] = []
  const byName = new Map<string, ToolRow>()
  const byAddress = new Map<string, ToolRow>()
  for (const [name, claims] of held) {
    const winner = claims.reduce((best, one) => (beats(one, best, surroundings.agent) ? one : best))
    const isShared = ({ claim }: HeldClaim) => claim.hash === winner.claim.hash
    const sharing = [winner, ...claims.filter((one) => one !== winner && isShared(one))]
    const shared = sharing.map((one) => rowOf(one, name, true, state, surroundings))
    const row = shared.find(({ status }) => status === 'available') ?? (shared[0] as ToolRow)
    rows.push(row)
    byName.set(name, row)
    for (const [index, one] of shared.entries()) {
      addAddresses(byAddress, addressOf(sharing[index] as HeldClaim, claims, surroundings), one)
    }
    for (const other of claims.filter((one) => !isShared(one))) {
      const address = addressOf(other, claims, surroundings)
      const free = byAddress.has(address) ? `${other.source.source}:${address}` : address
      const behind = rowOf(other, free, false, state, surroundings)
      rows.push(behind)
      byName.set(free, behind)
      addAddresses(byAddress, address, behind)
    }
  }
  for (const row of rows) {
    addAddresses(byAddress, `${row.owner.owner}/${row.claim.definedAs}`, row)
  }
  const available = rows.flatMap(({ status, tool }) =>
    status === 'available' && tool !== undefined ? [tool] : [],
  )
  // Everyone who asks gets this very list: one who sorts it would sort it for all.
  Object.freeze(available)
  return { rows, byName, byAddress, available }
}

/** `owner/name`, with the version when a better one of its owner's has that address. */
function addressOf(held: HeldClaim, claims: readonly HeldClaim[], { agent }: Surroundings): string {
  const { source, claim } = held
  const better = claims.some(
    (one) => one !== held && sameOwner(one.source, source) && beats(one, held, agent),
  )
  return `${source.owner}/${claim.name}${better ? `@${claim.version}` : ''}`
}

/** An owner of another kind may have the same name, so `skill:owner/name` is an address, too. */
function addAddresses(rows: Map<string, ToolRow>, address: string, row: ToolRow): void {
  for (const one of [address, `${row.owner.source}:${address}`]) {
    if (!rows.has(one)) rows.set(one, row)
  }
}

function rowOf(
  held: HeldClaim,
  name: string,
  wins: boolean,
  state: WorkspaceState,
  surroundings: Surroundings,
): ToolRow {
  const { source, claim } = held
  const defined = surroundings.tool(claim.hash)
  const tool = defined && goingBy(defined, claim.name)
  return { name, claim, owner: source, tool, ...standingOf(held, wins, tool, state, surroundings) }
}

const renamed = new WeakMap<Tool, Map<string, Tool>>()

/** A tool under the name its claim was given. */
function goingBy(tool: Tool, name: string): Tool {
  if (tool.name === name) return tool
  const names = renamed.get(tool) ?? new Map<string, Tool>()
  renamed.set(tool, names)
  const known = names.get(name) ?? Object.freeze({ ...tool, name })
  names.set(name, known)
  return known
}
