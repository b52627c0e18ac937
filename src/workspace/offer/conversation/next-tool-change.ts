import type { AddedTool, WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { renamedTool } from '../../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { ToolChangeMessage } from './history-message.ts'
import { hasToolChange, type PlacedMessage } from './place-messages.ts'

/** The tools that a step sends, and those that its model may call by name. */
export interface ConversationTools {
  /** As logged: those of the request, and those that the conversation adds. */
  readonly exposed: readonly ExposedTool[]
  /** The provider can remove tools, and replaces a definition by a later one. */
  readonly removes: boolean
}

/** A change of tools that is still to be sent. */
interface NextToolChange {
  readonly added: readonly AddedTool[]
  readonly removed: readonly string[]
}

/** A history with the messages of the workspace, and indexes of those that are lost. */
interface PlacedConversation {
  readonly placed: readonly PlacedMessage[]
  readonly lost: readonly number[]
}

/** Looks up definitions by hash. */
interface Definitions {
  tool(hash: ContentHash): Tool | undefined
}

/** Returns the change of tools that a conversation lacks; null when it lacks none. */
export function nextToolChange(
  { exposed, removes }: ConversationTools,
  placed: readonly PlacedMessage[],
): NextToolChange | null {
  const isChanged = exposed.some(({ added, removed }) => added ?? removed)
  if (!isChanged && placed.length === 0) return null
  const { now, ever } = toolsSoFar(exposed, placed)
  const wanted = new Map(
    exposed.flatMap(({ name, hash, removed }) => (removed ? [] : [[name, hash] as const])),
  )
  const added = [...wanted].flatMap(([name, hash]): AddedTool[] => {
    if (now.get(name) === hash) return []
    return [{ name, hash, ...(ever.has(`${name} ${hash}`) && { known: true }) }]
  })
  const removed = removes ? [...now.keys()].filter((name) => !wanted.has(name)) : []
  return added.length === 0 && removed.length === 0 ? null : { added, removed }
}

/** Follows the tools from those of the request through all changes in the conversation. */
function toolsSoFar(exposed: readonly ExposedTool[], placed: readonly PlacedMessage[]): ToolsSoFar {
  const tools = toolsOfRequest(exposed)
  for (const one of placed) {
    if (one.kind === 'ours' && one.message.kind === 'tools') follow(tools, one.message)
  }
  return tools
}

/** The tools that a conversation has at one place, and all definitions that it had before. */
interface ToolsSoFar {
  readonly now: Map<string, ContentHash>
  readonly ever: Set<string>
}

function toolsOfRequest(exposed: readonly ExposedTool[]): ToolsSoFar {
  const base = exposed.filter(({ added }) => added === undefined)
  return {
    now: new Map(base.map(({ name, hash }) => [name, hash])),
    ever: new Set(base.map(({ name, hash }) => `${name} ${hash}`)),
  }
}

function follow({ now, ever }: ToolsSoFar, { added, removed }: NextToolChange): void {
  for (const name of removed) now.delete(name)
  for (const { name, hash } of added) {
    now.set(name, hash)
    ever.add(`${name} ${hash}`)
  }
}

/**
 * Makes the changes of a conversation valid again after the host left out earlier ones: a provider refuses a
 * name that it does not know, and an addition of a tool that is there already.
 */
export function validToolChanges(
  exposed: readonly ExposedTool[],
  placed: readonly PlacedMessage[],
): readonly PlacedMessage[] {
  const tools = toolsOfRequest(exposed)
  return placed.flatMap((one): readonly PlacedMessage[] => {
    if (one.kind === 'history' || one.message.kind !== 'tools') return [one]
    const { message } = one
    const removed = message.removed.filter((name) => tools.now.has(name))
    follow(tools, { added: [], removed })
    const added = message.added.flatMap(({ name, hash, known }): AddedTool[] => {
      if (tools.now.get(name) === hash) return []
      return [known && tools.ever.has(`${name} ${hash}`) ? { name, hash, known } : { name, hash }]
    })
    follow(tools, { added, removed: [] })
    if (added.length === 0 && removed.length === 0) return []
    const isSame =
      removed.length === message.removed.length &&
      added.length === message.added.length &&
      added.every(({ known }, index) => known === message.added[index]?.known)
    return [isSame ? one : { ...one, message: { ...message, added, removed } }]
  })
}

/**
 * Leaves out changes that the provider does not take, where it neither removes tools nor replaces definitions:
 * removals, which another model was sent, and outdated definitions, because it would have two of one name.
 */
export function withoutOutdatedTools(
  { conversation: { ours } }: WorkspaceState,
  { placed, lost }: PlacedConversation,
  { exposed, removes }: ConversationTools,
): PlacedConversation {
  if (removes || !hasToolChange(ours)) return { placed, lost }
  const current = new Set(
    exposed.flatMap(({ name, hash, added }) => (added ? `${name} ${hash}` : [])),
  )
  const isOutdated = (message: WorkspaceMessage) =>
    message.kind === 'tools' &&
    (message.removed.length > 0 ||
      message.added.some(({ name, hash }) => !current.has(`${name} ${hash}`)))
  if (!ours.some(isOutdated)) return { placed, lost }
  const outdated = ours.flatMap((message, index) => (isOutdated(message) ? index : []))
  return {
    placed: placed.filter((one) => one.kind === 'history' || !isOutdated(one.message)),
    lost: [...new Set([...lost, ...outdated])],
  }
}

/** Returns a change with the definitions it adds; an empty one for null. */
export function toolChangeMessage(
  change: NextToolChange | null,
  { tool }: Definitions,
): ToolChangeMessage {
  const additions = (change?.added ?? []).flatMap(({ name, hash, known = false }) => {
    const definition = tool(hash)
    return definition === undefined ? [] : { tool: renamedTool(definition, name), known }
  })
  return { kind: 'tools', additions, removals: change?.removed ?? [] }
}

/** Returns the change of tools since the step before, for a host that does not show its history. */
export function toolChangeSince(
  { exposed: before }: WorkspaceState,
  { exposed }: Pick<ConversationTools, 'exposed'>,
  definitions: Definitions,
): ToolChangeMessage {
  const isCarried = ({ added, removed }: ExposedTool) => added === true || removed === true
  if (!before?.some(isCarried) && !exposed.some(isCarried)) {
    return toolChangeMessage(null, definitions)
  }
  if (before === null) return toolChangeMessage(null, definitions)
  const [then, now] = [offeredTools(before), offeredTools(exposed)]
  const versionsOf = (tools: readonly ExposedTool[]) =>
    new Set(tools.flatMap(({ name, hash, removed }) => (removed ? `${name} ${hash}` : [])))
  const [awayBefore, awayNow] = [versionsOf(before), versionsOf(exposed)]
  const added = [...now.values()].flatMap(({ name, hash, added: isAdded }): AddedTool[] => {
    const isBack = awayBefore.has(`${name} ${hash}`)
    if (then.get(name)?.hash === hash || !(isAdded || isBack)) return []
    return [{ name, hash, ...(isBack && { known: true }) }]
  })
  const removed = [...then.values()].flatMap(({ name, hash, added: wasAdded }) =>
    !now.has(name) && (wasAdded || awayNow.has(`${name} ${hash}`)) ? name : [],
  )
  return toolChangeMessage({ added, removed }, definitions)
}

/** Returns the tools that the model has after all changes, by name. */
function offeredTools(exposed: readonly ExposedTool[]): ReadonlyMap<string, ExposedTool> {
  return new Map(exposed.flatMap((one) => (one.removed ? [] : [[one.name, one] as const])))
}
