import type { Command } from '../../engine/model/command.ts'
import { type LeftOut, type OpenSource, sameOwner } from '../../engine/model/source-event.ts'
import { namespaced } from '../../engine/standing/place-claims.ts'
import { ownerAddress } from '../../engine/standing/tool-table.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { LeftOutTool, ServerListing, ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * The command that registers what a server lists.
 *
 * @param tools its tools, with handlers that call it
 */
export function syncCommand(
  { name: owner, trusted }: ToolServer,
  listing: ServerListing,
  tools: readonly Tool[],
  onConflict: OnConflict,
): Command {
  const { instructions } = listing
  const terms = { onConflict, ...(!trusted && { trusted }), ...(instructions && { instructions }) }
  const unusable = leftOut(owner, listing)
  return { type: 'source.sync', source: 'server', owner, tools, leftOut: unusable, ...terms }
}

/** Returns the tools of a server that are left out, and the parts of tools, by their names in a session. */
export function leftOut(
  server: string,
  { leftOut: tools, withoutOutput = [] }: ServerListing,
): readonly LeftOut[] {
  const named = ({ tool, name = `${server}_${tool}`, reason }: LeftOutTool) => ({ name, reason })
  return [
    ...tools.filter(({ tool }) => tool !== '').map(named),
    ...withoutOutput.map((one) => ({ ...named(one), part: 'output schema' as const })),
  ]
}

/** The command that records the tools of a server that are not offered, or not completely; null when there are none. */
export function leftOutWarning(
  { name }: ToolServer,
  { leftOut: tools, withoutOutput = [] }: ServerListing,
): Command | null {
  const all = [
    ...tools.map(({ tool, reason }) => (tool === '' ? reason : `"${tool}": ${reason}`)),
    ...withoutOutput.map(({ tool, reason }) => `The output schema of "${tool}": ${reason}`),
  ]
  if (all.length === 0) return null
  const shown = all.slice(0, MOST_SHOWN)
  const others = all.length - shown.length
  return {
    type: 'warning.give',
    code: 'server-tools-left-out',
    subject: name,
    message: `Tools of the server "${name}", or parts of them, are left out. ${shown.join(' ')}${others > 0 ? ` And ${others} more.` : ''}`,
    hint: 'The others can be called. Report the reasons to the author of the server.',
  }
}

/** Tools that are left out, and named in the warning. */
const MOST_SHOWN = 10

/** The command that records that a server sends too much. */
export function floodWarning({ name }: ToolServer, what: string): Command {
  const hint = 'Report it to the author of the server. docs/trust.md has all budgets.'
  return { type: 'warning.give', code: 'server-floods', subject: name, message: what, hint }
}

/** The command that records why a server was not attached. */
export function failCommand({ name }: ToolServer, error: unknown): Command {
  const known = WorkspaceError.is(error)
  return {
    type: 'source.fail',
    owner: name,
    refusal: {
      code: 'server-failed',
      message: `The server "${name}" was not attached: ${thrownMessage(error)}`,
      hint: known ? error.hint : 'Nothing changed. Check its configuration, and try again.',
      facts: { server: name, ...(known && { ...error.facts, stage: error.code }) },
    },
  }
}

/** Returns true when a name that a server lacks has other owners than before: it may be free. */
export function lacksOthers(
  server: OpenSource,
  before: readonly OpenSource[],
  now: readonly OpenSource[],
): boolean {
  const { owner, leftOut } = server
  const names = new Set(
    leftOut?.tools.flatMap(({ name, taken }) => (taken ? [name, namespaced(name, owner)] : [])),
  )
  if (names.size === 0) return false
  const claims = (sources: readonly OpenSource[], others: ReadonlySet<OpenSource>) =>
    sources
      .filter((one) => !others.has(one) && !sameOwner(one, server))
      .flatMap((one) =>
        one.claims.flatMap(({ name, hash }) =>
          names.has(name) ? `${ownerAddress(one, name)} ${hash}` : [],
        ),
      )
      .toSorted()
      .join('\n')
  return claims(before, new Set(now)) !== claims(now, new Set(before))
}

/**
 * Returns about the bytes that the log gets for the tools of a list that are not in an earlier one; 0 for the first.
 *
 * @param isEnough returns true for bytes after which nothing more is counted
 */
export function changedBytes(
  listing: ServerListing,
  before: ServerListing | undefined,
  isEnough: (bytes: number) => boolean,
): number {
  if (before === undefined || before === listing) return 0
  const known = new Set(before.tools.map(({ hash }) => hash))
  const added = listing.tools.filter(({ hash }) => !known.has(hash))
  const removed = before.tools.length - (listing.tools.length - added.length)
  const { leftOut, withoutOutput, instructions } = listing
  const isLeftOutSame = JSON.stringify(leftOut) === JSON.stringify(before.leftOut)
  const others = isLeftOutSame ? '' : JSON.stringify([leftOut, withoutOutput, instructions])
  let bytes = CLAIM * (added.length + removed) + others.length
  for (const tool of added) {
    if (isEnough(bytes)) return bytes
    bytes += JSON.stringify(tool).length
  }
  return bytes
}

/** Bytes of the entry about one tool, without its definition. */
const CLAIM = 400
