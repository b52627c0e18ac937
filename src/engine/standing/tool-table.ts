import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type OpenClaim, type OpenSource, sameOwner } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { beats, type HeldClaim, winnerAmong } from './place-claims.ts'
import { judgeTool, statusFacts, type ToolStatus } from './tool-status.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Every registered tool with its standing, in the order owners came. */
export interface RegisteredTools {
  readonly rows: readonly ToolRow[]
  /** Rows by the name they are addressed by; shadowed ones only as `owner/name`. */
  readonly byName: ReadonlyMap<string, ToolRow>
  /** Every row by `owner/name`, those that hold their name too, and by the name it was defined as. */
  readonly byAddress: ReadonlyMap<string, ToolRow>
  /** What can be called now, one tool a name. */
  readonly available: readonly Tool[]
}

const memo = new WeakMap<EngineContext, { facts: readonly unknown[]; table: RegisteredTools }>()

/** The tool table of a state: computed once for the facts it reads. */
export function toolTable(state: WorkspaceState, context: EngineContext): RegisteredTools {
  const facts = statusFacts(state)
  const known = memo.get(context)
  if (known?.facts.every((fact, index) => fact === facts[index])) return known.table
  const table = compute(state, context)
  memo.set(context, { facts, table })
  return table
}

function compute(state: WorkspaceState, context: EngineContext): RegisteredTools {
  const rows = [...placedRows(state, context)].flatMap((one) => (one.isShown ? one.row : []))
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
      byAddress ??= addressesOf(state, context, byName)
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

function* placedRows(state: WorkspaceState, context: EngineContext): Generator<PlacedRow> {
  const held = Map.groupBy(
    state.open.flatMap((source) => source.claims.map((claim) => ({ source, claim }))),
    ({ claim }) => claim.name,
  )
  for (const [name, claims] of held) {
    const winner = winnerAmong(claims, context.agent)
    const isShared = ({ claim }: HeldClaim) => claim.hash === winner.claim.hash
    const sharing = [winner, ...claims.filter((one) => one !== winner && isShared(one))]
    const shared = sharing.map((one) => ({
      row: rowOf(one, name, true, state, context),
      address: addressOf(one, claims, context),
    }))
    const shown = shared.find(({ row }) => row.status === 'available') ?? shared[0]
    const taken = new Set<string>()
    for (const one of shared) {
      taken.add(one.address)
      yield { ...one, isShown: one === shown }
    }
    for (const other of claims.filter((one) => !isShared(one))) {
      const address = addressOf(other, claims, context)
      const free = taken.has(address) ? `${other.source.source}:${address}` : address
      taken.add(address)
      yield { row: rowOf(other, free, false, state, context), address, isShown: true }
    }
  }
}

/** Every row by its addresses; those that are shown are the very rows of the table. */
function addressesOf(
  state: WorkspaceState,
  context: EngineContext,
  byName: ReadonlyMap<string, ToolRow>,
): ReadonlyMap<string, ToolRow> {
  const byAddress = new Map<string, ToolRow>()
  for (const { row, address, isShown } of placedRows(state, context)) {
    addAddresses(byAddress, address, isShown ? (byName.get(row.name) ?? row) : row)
  }
  for (const row of byName.values()) {
    addAddresses(byAddress, `${row.owner.owner}/${row.claim.definedAs}`, row)
  }
  return byAddress
}

/** `owner/name`, with the version when a better one of its owner's has that address. */
function addressOf(
  held: HeldClaim,
  claims: readonly HeldClaim[],
  { agent }: EngineContext,
): string {
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
  context: EngineContext,
): ToolRow {
  const { source, claim } = held
  const defined = ownTool(held, context) ?? context.tool(claim.hash)
  const tool = defined && renamedTool(defined, claim.name)
  return { name, claim, owner: source, tool, ...judgeTool(held, wins, tool, state, context) }
}

/** One registered tool of a workspace with its standing now. */
export interface ToolRow {
  /** How it is addressed: its name, or `owner/name` when another owner's tool has the name. */
  readonly name: string
  readonly claim: OpenClaim
  readonly owner: OpenSource
  /** Absent when no process ever gave the definition; such a row is `unbound`. */
  readonly tool: Tool | undefined
  readonly status: ToolStatus
  /** It is available, and the user will be asked first. */
  readonly asks: boolean
}

const bound = new WeakMap<readonly SkillTool[], ReadonlyMap<ContentHash, Tool>>()

/**
 * The tool of a claim as its own skill has it, handler included: another skill may have defined it
 * word for word, so its hash alone would not tell whose handler runs. Undefined where the skill has no
 * handler for it, and for owners that are no skills.
 */
function ownTool({ source, claim }: HeldClaim, { catalog }: EngineContext): Tool | undefined {
  const tools = source.source === 'skill' ? catalog.skillTools.get(source.owner) : undefined
  if (tools === undefined) return undefined
  let known = bound.get(tools)
  if (known === undefined) {
    const own = tools.flatMap(({ tool }) => (tool.run === undefined ? [] : [tool]))
    known = new Map(own.map((tool) => [tool.hash, tool]))
    bound.set(tools, known)
  }
  return known.get(claim.hash)
}

const renamed = new WeakMap<Tool, Map<string, Tool>>()

/** A tool under the name its claim was given; the same object for the same name. */
export function renamedTool(tool: Tool, name: string): Tool {
  if (tool.name === name) return tool
  const names = renamed.get(tool) ?? new Map<string, Tool>()
  renamed.set(tool, names)
  const known = names.get(name) ?? Object.freeze({ ...tool, name })
  names.set(name, known)
  return known
}

/** How the available tools of two moments differ, by name. */
export interface ToolDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Still available, but another owner's or another definition. */
  readonly changed: readonly string[]
}

const NO_DIFFERENCE: ToolDifference = { added: [], removed: [], changed: [] }

/** Compare what was available with what is. */
export function toolDifference(before: RegisteredTools, after: RegisteredTools): ToolDifference {
  if (before === after) return NO_DIFFERENCE
  const was = availableRows(before)
  const is = availableRows(after)
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    changed: [...is].flatMap(([name, row]) => {
      const old = was.get(name)
      const same =
        old === undefined || (old.claim.hash === row.claim.hash && sameOwner(old.owner, row.owner))
      return same ? [] : [name]
    }),
  }
}

export function isEmptyDifference({ added, removed, changed }: ToolDifference): boolean {
  return added.length + removed.length + changed.length === 0
}

function availableRows({ rows }: RegisteredTools) {
  return new Map(
    rows.filter(({ status }) => status === 'available').map((row) => [row.name, row] as const),
  )
}
