import type { Cause } from '../model/cause.ts'
import { allConfirmations, type PendingConfirmation } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { ToolStatus } from './tool-status.ts'
import { ownerAddress, type ToolRow, toolTable } from './tool-table.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { clientName } from '../../tools/definition/matches-tool.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import { hasNameHash, ownName, providerName } from '../../schema/provider-forms/provider-name.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'

/** A tool's status with its facts. Lists, `explain`, exposure and the call pipeline all use it. */
export type Assessment =
  | { readonly kind: 'registered'; readonly status: ToolStatus; readonly row: ToolRow }
  /** Known to the catalog, but not registered now. */
  | {
      readonly kind: 'unregistered'
      readonly status: 'skill-inactive'
      readonly name: string
      /** The skills that would bring it. */
      readonly bringers: readonly string[]
    }
  /** Its owner no longer has it. */
  | ({ readonly kind: 'gone'; readonly status: 'gone'; readonly nearest: readonly string[] } & Gone)
  /** Its owner has it, and it cannot be used. */
  | ({ readonly kind: 'left-out'; readonly status: 'left-out' } & Unusable)
  | {
      readonly kind: 'unknown'
      readonly status: 'unknown'
      readonly name: string
      readonly nearest: readonly string[]
    }

/** A tool that was registered, and left the list of its owner. */
interface Gone extends Pick<OpenSource, 'source' | 'owner'> {
  readonly name: string
  /** The entry that removed it. */
  readonly seq: number
  /** The owner has left, too: the cause. */
  readonly detached: Cause | null
}

/** A tool that its owner has, and that cannot be used. */
export interface Unusable extends Pick<OpenSource, 'source' | 'owner'> {
  readonly name: string
  readonly reason: string
  /** The entry that says so. */
  readonly seq: number
  /** Another tool has its name. */
  readonly taken?: true
}

const unusableMemo = identityMemo<ReadonlyMap<string, Unusable>>()

/** Returns the tools that are left out, by their addresses. */
export function unusableTools({ open }: WorkspaceState): ReadonlyMap<string, Unusable> {
  return unusableMemo([open], '', () => {
    const byAddress = new Map<string, Unusable>()
    for (const { source, owner, leftOut } of open) {
      for (const { name, reason, part, taken } of leftOut?.tools ?? []) {
        const addresses = [ownerAddress({ source, owner }, name), `${owner}/${name}`, name]
        for (const address of part === undefined ? addresses : []) {
          if (byAddress.has(address)) continue
          const unusable = { source, owner, name, reason, seq: leftOut?.seq ?? 0 }
          byAddress.set(address, taken ? { ...unusable, taken } : unusable)
        }
      }
    }
    return byAddress
  })
}

/** Returns true for a tool that a skill would bring by the stored listing of a server that no longer has it. */
function isGoneFrom(
  skill: string,
  name: string,
  { open }: WorkspaceState,
  { catalog }: EngineContext,
): boolean {
  const attached = open.filter(({ source }) => source === 'server')
  if (attached.length === 0) return false
  const brought = catalog.skillTools.get(skill)?.find(({ tool }) => tool.name === name)
  return attached.some(({ owner }) => owner === brought?.server)
}

const goneMemo = identityMemo<ReadonlyMap<string, Gone>>()

/** Returns the tools that left the lists of their owners, the latest of each address. */
function goneByAddress({ open, closed }: WorkspaceState): ReadonlyMap<string, Gone> {
  return goneMemo([open, closed], '', () => {
    const byAddress = new Map<string, Gone>()
    const owners = [...open.map((one) => ({ ...one, cause: null })), ...closed]
    for (const { source, owner, cause: detached, gone = [] } of owners) {
      for (const { name, definedAs, seq } of gone) {
        const found: Gone = { source, owner, name, seq, detached }
        const full = [name, definedAs].flatMap((one) => [
          `${owner}/${one}`,
          ownerAddress({ source, owner }, one),
        ])
        for (const address of [name, ...full]) {
          const known = byAddress.get(address)
          if (known === undefined || known.seq < seq) byAddress.set(address, found)
        }
      }
    }
    return byAddress
  })
}

/** Returns the state that calls of a caller are decided in: the tools of a step limit the model alone. */
export function stateFor(caller: Caller, state: WorkspaceState): WorkspaceState {
  return caller === 'model' || state.activeTools === null ? state : { ...state, activeTools: null }
}

/**
 * Decides a tool's status.
 *
 * @param address a name as registered, or `owner/name` for one owner's tool; `skill:owner/name`
 *   when owners of two kinds have the same name
 */
export function assess(state: WorkspaceState, context: EngineContext, address: string): Assessment {
  const table = toolTable(state, context)
  const row = table.byName.get(address) ?? table.byAddress.get(address)
  if (row) return { kind: 'registered', status: row.status, row }
  const { catalog } = context
  const slash = address.indexOf('/')
  const owner = slash < 0 ? null : address.slice(0, slash).replace(/^skill:/u, '')
  const name = slash < 0 ? address : address.slice(slash + 1)
  const bringers = (catalog.bringers.get(name) ?? []).filter(
    (skill) => (owner === null || skill === owner) && !isGoneFrom(skill, name, state, context),
  )
  // A tool of a server is registered by the server, and may be meant by the skill that brings it.
  const server =
    owner === null
      ? undefined
      : catalog.skillTools.get(owner)?.find(({ tool }) => tool.name === name)?.server
  const brought =
    server === undefined
      ? undefined
      : table.byAddress.get(ownerAddress({ source: 'server', owner: server }, name))
  if (brought !== undefined) {
    return { kind: 'registered', status: brought.status, row: brought }
  }
  if (bringers.length > 0 || (owner === null && catalog.sharedTools.has(name))) {
    return { kind: 'unregistered', status: 'skill-inactive', name, bringers }
  }
  const unusable = unusableTools(state).get(address)
  if (unusable !== undefined) return { kind: 'left-out', status: 'left-out', ...unusable }
  const gone = goneByAddress(state).get(address)
  const unregistered =
    gone === undefined
      ? ({ kind: 'unknown', status: 'unknown', name } as const)
      : ({ kind: 'gone', status: 'gone', ...gone } as const)
  return {
    ...unregistered,
    // Lists ask for many gone tools, and need no other names.
    get nearest() {
      const left = new Set(state.open.flatMap((one) => one.gone?.map(({ definedAs }) => definedAs)))
      const brought = [...catalog.bringers.keys(), ...catalog.sharedTools.keys()]
      const registered = table.rows.map(({ claim }) => claim.name)
      return nearestNames(name, [...brought.filter((one) => !left.has(one)), ...registered])
    },
  }
}

/**
 * Returns the name in the session of a tool that is called or asked about: by that name, or by its form at any
 * provider, because an adapter may send the names of a provider that the host did not name.
 *
 * @param by for a model, the form of a name comes first, so that no tool gets the calls of another by having
 *   that form as its own name; a model gets such a tool under a form of its own
 */
export function calledName(
  name: string,
  by: Caller,
  state: WorkspaceState,
  context: EngineContext,
): string {
  const isUnknown = () => assess(state, context, name).kind === 'unknown'
  if (hasNameHash(name) && (by === 'model' || isUnknown())) {
    return ownName(name, namesIn(state, context))
  }
  return name.startsWith('mcp__') && isUnknown() ? nameOfBroughtTool(name, context) : name
}

/**
 * Returns the name of the one tool that a skill would bring from the stored listing of a server, and that Claude Code
 * calls by the given name. Returns the given name if there is none, or more than one.
 */
function nameOfBroughtTool(name: string, { catalog }: EngineContext): string {
  const brought = [...catalog.skillTools.values()].flat().flatMap(({ tool, server }) => {
    const { name: definedAs } = tool
    const isOne = server !== undefined && clientName({ ...tool, definedAs }, server) === name
    return isOne ? [definedAs] : []
  })
  const [found = name, other] = new Set(brought)
  return other === undefined ? found : name
}

/**
 * Returns the name under which the model reads and calls a tool: that of the session, unless the provider
 * does not accept it. `owner/name` is never sent, and stays an address for the arguments of meta-tools.
 */
export function sentName(name: string, namesFor: Provider | undefined): string {
  return namesFor === undefined || name.includes('/') ? name : providerName(name, namesFor)
}

/** Returns the names by which the call may have been made that a person was asked about: the tool's, and its addresses. */
export function askedNames({
  tool,
  source,
  owner,
}: Pick<PendingConfirmation, 'tool' | 'source' | 'owner'>): readonly string[] {
  if (source === undefined || owner === undefined) return [tool]
  return [tool, `${owner}/${tool}`, ownerAddress({ source, owner }, tool)]
}

/** All names that may be called, also those of tools that have left: a refusal says why. */
function* namesIn(state: WorkspaceState, context: EngineContext): Generator<string> {
  const { catalog } = context
  for (const asked of allConfirmations(state)) yield* askedNames(asked)
  for (const { name } of state.exposed ?? []) yield name
  for (const { gone = [] } of [...state.open, ...state.closed]) yield* gone.map(({ name }) => name)
  for (const { name } of unusableTools(state).values()) yield name
  yield* toolTable(state, context).byName.keys()
  yield* catalog.bringers.keys()
  yield* catalog.sharedTools.keys()
}
