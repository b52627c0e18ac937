import type { Tool } from '../../tools/definition/tool.ts'
import { goingBy } from './going-by.ts'
import { ownTool } from './own-tool.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { standingFacts } from './standing-facts.ts'
import { standingOf } from './standing-of.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ToolRow } from './tool-row.ts'
import { sameOwner } from '../model/same-owner.ts'
import { beats, winnerAmong, type HeldClaim } from './winner.ts'

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
  const facts = standingFacts(state)
  const known = memo.get(surroundings)
  if (known?.facts.every((fact, index) => fact === facts[index])) return known.table
  const table = compute(state, surroundings)
  memo.set(surroundings, { facts, table })
  return table
}

function compute(state: WorkspaceState, surroundings: Surroundings): ToolTable {
  const rows = [...placedRows(state, surroundings)].flatMap((one) => (one.isShown ? one.row : []))
  const byName = new Map(rows.map((row) => [row.name, row]))
  const available = rows.flatMap(({ status, tool }) =>
    status === 'available' && tool !== undefined ? [tool] : [],
  )
  // Everyone who asks gets this very list: one who sorts it would sort it for all.
  Object.freeze(available)
  let byAddress: ReadonlyMap<string, ToolRow> | undefined
  return {
    rows,
    byName,
    available,
    // Seldom asked for, and larger than all the rest: an idle session does without it.
    get byAddress() {
      byAddress ??= addressesOf(state, surroundings, byName)
      return byAddress
    },
  }
}

/** The row of one claim. Owners that share a tool have one that is shown, under its bare name. */
interface PlacedRow {
  readonly row: ToolRow
  readonly address: string
  readonly isShown: boolean
}

function* placedRows(state: WorkspaceState, surroundings: Surroundings): Generator<PlacedRow> {
  const held = Map.groupBy(
    state.open.flatMap((source) => source.claims.map((claim) => ({ source, claim }))),
    ({ claim }) => claim.name,
  )
  for (const [name, claims] of held) {
    const winner = winnerAmong(claims, surroundings.agent)
    const isShared = ({ claim }: HeldClaim) => claim.hash === winner.claim.hash
    const sharing = [winner, ...claims.filter((one) => one !== winner && isShared(one))]
    const shared = sharing.map((one) => ({
      row: rowOf(one, name, true, state, surroundings),
      address: addressOf(one, claims, surroundings),
    }))
    const shown = shared.find(({ row }) => row.status === 'available') ?? shared[0]
    const taken = new Set<string>()
    for (const one of shared) {
      taken.add(one.address)
      yield { ...one, isShown: one === shown }
    }
    for (const other of claims.filter((one) => !isShared(one))) {
      const address = addressOf(other, claims, surroundings)
      const free = taken.has(address) ? `${other.source.source}:${address}` : address
      taken.add(address)
      yield { row: rowOf(other, free, false, state, surroundings), address, isShown: true }
    }
  }
}

/** Every row by its addresses; those that are shown are the very rows of the table. */
function addressesOf(
  state: WorkspaceState,
  surroundings: Surroundings,
  byName: ReadonlyMap<string, ToolRow>,
): ReadonlyMap<string, ToolRow> {
  const byAddress = new Map<string, ToolRow>()
  for (const { row, address, isShown } of placedRows(state, surroundings)) {
    addAddresses(byAddress, address, isShown ? (byName.get(row.name) ?? row) : row)
  }
  for (const row of byName.values()) {
    addAddresses(byAddress, `${row.owner.owner}/${row.claim.definedAs}`, row)
  }
  return byAddress
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
  const defined = ownTool(held, surroundings) ?? surroundings.tool(claim.hash)
  const tool = defined && goingBy(defined, claim.name)
  return { name, claim, owner: source, tool, ...standingOf(held, wins, tool, state, surroundings) }
}
