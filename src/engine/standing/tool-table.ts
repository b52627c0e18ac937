import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type OpenClaim, type OpenSource, sameOwner } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { openSkill } from './assess-skill.ts'
import { beats, type HeldClaim, mayShare, winnerAmong } from './place-claims.ts'
import { judgeTool, memoByFacts, statusFacts, type ToolJudgement } from './tool-status.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { isBound } from '../../tools/definition/make-tool.ts'
import { clientName } from '../../tools/definition/matches-tool.ts'
import { shownTool } from '../../tools/definition/shown-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Every registered tool with its status, in the order in which owners registered theirs. */
export interface RegisteredTools {
  readonly rows: readonly ToolRow[]
  /** Rows by their name; a shadowed tool's name is `owner/name`. */
  readonly byName: ReadonlyMap<string, ToolRow>
  /**
   * All rows by `owner/name`, including those that have their plain name, and by the name in the
   * definition.
   */
  readonly byAddress: ReadonlyMap<string, ToolRow>
  /** The tools that can be called now, one for each name. */
  readonly available: readonly Tool[]
}

/** One registered tool of a workspace with its current status. */
export interface ToolRow extends ToolJudgement {
  /** Its name, or `owner/name` when another owner's tool has the name. */
  readonly name: string
  readonly claim: OpenClaim
  readonly owner: OpenSource
  /** Undefined when no process has given the definition; the status is then `unbound`. */
  readonly tool: Tool | undefined
}

const tableOf = memoByFacts<RegisteredTools>()

/** Returns the tool table of a state. It is computed once for the facts it follows from. */
export function toolTable(state: WorkspaceState, context: EngineContext): RegisteredTools {
  return tableOf(context, state, statusFacts, () => computeTable(state, context))
}

function computeTable(state: WorkspaceState, context: EngineContext): RegisteredTools {
  const rows: ToolRow[] = []
  const byName = new Map<string, ToolRow>()
  const available: Tool[] = []
  for (const { row, isShown } of placedRows(state, context)) {
    if (!isShown) continue
    rows.push(row)
    byName.set(row.name, row)
    if (row.status === 'available' && row.tool !== undefined) available.push(row.tool)
  }
  // All callers get the same list: a caller that sorted it would sort it for all of them.
  Object.freeze(available)
  let byAddress: ReadonlyMap<string, ToolRow> | undefined
  return {
    rows,
    byName,
    available,
    // Rarely needed, and larger than the rest together: an idle session never builds it.
    get byAddress() {
      byAddress ??= addressesOf(state, context, byName)
      return byAddress
    },
  }
}

/** The row of one claim. Of owners that share a tool, one row is shown, under the plain name. */
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
    const [only] = claims
    if (only && claims.length === 1) {
      const address = `${only.source.owner}/${name}`
      yield { row: rowOf(only, name, true, state, context), address, isShown: true }
      continue
    }
    const winner = winnerAmong(claims, context.agent)
    const isShared = ({ claim, source }: HeldClaim) =>
      claim.hash === winner.claim.hash && mayShare(source, winner.source)
    const sharing = [winner, ...claims.filter((one) => one !== winner && isShared(one))]
    // A source that the host does not trust cannot take over a tool by copying its definition.
    if (sharing.length > 1) sharing.sort((a, b) => Number(isUntrusted(a)) - Number(isUntrusted(b)))
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

function isUntrusted({ claim }: HeldClaim): boolean {
  return claim.trusted === false
}

function rowOf(
  held: HeldClaim,
  name: string,
  wins: boolean,
  state: WorkspaceState,
  context: EngineContext,
): ToolRow {
  const { source, claim } = held
  const defined = ownTool(held, context) ?? withoutHandler(context.tool(claim.hash))
  const tool = defined && renamedTool(shownTool(defined, context.redactor), claim.name)
  return { name, claim, owner: source, tool, ...judgeTool(held, wins, tool, state, context) }
}

const byHashMemo = new WeakMap<readonly SkillTool[], ReadonlyMap<ContentHash, Tool>>()

/**
 * Returns the tool of a claim as its own owner has it: with that owner's handler. Two owners may have the
 * same definition, so a handler is never looked up by hash alone.
 */
function ownTool({ source, claim }: HeldClaim, context: EngineContext): Tool | undefined {
  if (source.source !== 'skill') return context.bound(claim, source)
  const tools = context.catalog.skillTools.get(source.owner)
  if (tools === undefined) return undefined
  const known = byHashMemo.get(tools) ?? new Map(tools.map(({ tool }) => [tool.hash, tool]))
  byHashMemo.set(tools, known)
  return known.get(claim.hash)
}

const unboundMemo = new WeakMap<Tool, Tool>()

/** Returns the definition of a tool: the same object for the same tool. */
function withoutHandler(tool: Tool | undefined): Tool | undefined {
  if (tool === undefined || !isBound(tool)) return tool
  const { execute: _, client: _client, ...definition } = tool
  const unbound = unboundMemo.get(tool) ?? Object.freeze(definition)
  unboundMemo.set(tool, unbound)
  return unbound
}

const renamed = new WeakMap<Tool, Map<string, Tool>>()

/** Returns a tool under the name its claim was given: the same object for the same name. */
export function renamedTool(tool: Tool, name: string): Tool {
  if (tool.name === name) return tool
  const names = renamed.get(tool) ?? new Map<string, Tool>()
  renamed.set(tool, names)
  const known = names.get(name) ?? Object.freeze({ ...tool, name })
  names.set(name, known)
  return known
}

/** `owner/name`, and `@version` when another version of the same owner has that address. */
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

/** All rows by their addresses. Rows that are shown are the same objects as in the table. */
function addressesOf(
  state: WorkspaceState,
  context: EngineContext,
  byName: ReadonlyMap<string, ToolRow>,
): ReadonlyMap<string, ToolRow> {
  const byAddress = new Map<string, ToolRow>()
  const add = (address: string, row: ToolRow) => {
    // An owner of another kind may have the same name, so `skill:owner/name` is an address, too.
    for (const one of [address, `${row.owner.source}:${address}`]) {
      if (!byAddress.has(one)) byAddress.set(one, row)
    }
  }
  for (const { row, address, isShown } of placedRows(state, context)) {
    add(address, isShown ? (byName.get(row.name) ?? row) : row)
  }
  for (const row of byName.values()) {
    const { source, owner } = row.owner
    add(`${owner}/${row.claim.definedAs}`, row)
    // Texts of skills name tools of servers as Claude Code does.
    if (source === 'server') add(clientName(row.claim, owner), row)
  }
  return byAddress
}

/** The owner in the address of a tool value that no owner has registered. */
export const UNREGISTERED = 'unregistered'

/** The address of one owner's tool, whichever owner has the name: `skill:owner/name`. */
export function ownerAddress(
  { source, owner }: Pick<OpenSource, 'source' | 'owner'>,
  name: string,
): string {
  return `${source}:${owner}/${name}`
}

/** The tools of one active skill that can be called now. */
interface AvailableSkill {
  readonly skill: string
  readonly rows: readonly ToolRow[]
}

/**
 * Returns the tools of active skills that can be called now, by skill, in the order of activation. A
 * tool that two skills share is listed once. Prompt, boxes and `SkillManager` all list these.
 */
export function availableSkillRows(rows: readonly ToolRow[]): readonly AvailableSkill[] {
  const skills = new Map<string, { skill: string; since: number; rows: ToolRow[] }>()
  for (const row of rows) {
    const skill = row.status === 'available' ? skillOf(row) : undefined
    if (skill === undefined) continue
    const { since } = row.owner
    const listed = skills.get(skill) ?? { skill, since, rows: [] }
    listed.since = Math.min(listed.since, since)
    listed.rows.push(row)
    skills.set(skill, listed)
  }
  return [...skills.values()].sort((a, b) => a.since - b.since)
}

/** Returns the active skill that a tool comes with: its owner, or the one that brings its server. */
export function skillOf({ owner }: Pick<ToolRow, 'owner'>): string | undefined {
  return owner.source === 'skill' ? owner.owner : owner.bringer
}

/** Returns the tools of active skills that can be called now, by skill, as `availableSkillRows` does. */
export function availableSkillTools(
  state: WorkspaceState,
  context: EngineContext,
): ReadonlyMap<string, readonly Tool[]> {
  const listed = availableSkillRows(toolTable(state, context).rows)
  return new Map(listed.map(({ skill, rows }) => [skill, rows.flatMap(({ tool }) => tool ?? [])]))
}

/** The difference between the available tools of two moments, by name. */
export interface ToolDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Still available, but from another owner or with another definition. */
  readonly changed: readonly string[]
}

const NO_DIFFERENCE: ToolDifference = { added: [], removed: [], changed: [] }

/** Compares the available tools of two tables. */
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

function availableRows({ rows }: RegisteredTools) {
  return new Map(
    rows.filter(({ status }) => status === 'available').map((row) => [row.name, row] as const),
  )
}

export function isEmptyDifference({ added, removed, changed }: ToolDifference): boolean {
  return added.length + removed.length + changed.length === 0
}

/**
 * Returns the tools that an active skill has registered, under their names in the session; those of its
 * definition when it is inactive.
 */
export function toolsOfSkill(
  state: WorkspaceState,
  context: EngineContext,
  skill: string,
): readonly Tool[] {
  const open = openSkill(state, skill)
  if (!open) {
    const { catalog, redactor } = context
    return catalog.skillTools.get(skill)?.map(({ tool }) => shownTool(tool, redactor)) ?? []
  }
  const { byAddress } = toolTable(state, context)
  const brought = state.open.filter(({ bringer }) => bringer === skill)
  return [open, ...brought].flatMap(({ source, owner, claims }) =>
    claims.flatMap(({ name }) => byAddress.get(`${source}:${owner}/${name}`)?.tool ?? []),
  )
}
