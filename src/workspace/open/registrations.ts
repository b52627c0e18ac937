import type { Command } from '../../engine/model/command.ts'
import { META_OWNER } from '../../engine/model/meta-owner.ts'
import { sameOwner } from '../../engine/model/same-owner.ts'
import type { ToolSource } from '../../engine/model/tool-source.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

type Registration = Extract<Command, { type: 'source.register' }>

/** What a session is opened with: its meta-tools, its components, the tools that are always there. */
export function registrations(
  options: WorkspaceOptions,
  { components, surroundings }: SessionParts,
  meta: readonly Tool[],
): readonly Registration[] {
  const { catalog } = surroundings
  const register = (
    source: typeof ToolSource.COMPONENT | typeof ToolSource.GLOBAL,
    owner: string,
    tools: readonly Tool[],
  ): Registration => ({
    type: 'source.register',
    source,
    owner,
    tools,
    onConflict: 'refuse',
    replace: true,
  })
  const shared = catalog.globalTools.flatMap(({ name }) => catalog.sharedTools.get(name) ?? [])
  const globals = [...shared, ...(options.tools ?? [])]
  return [
    ...(meta.length === 0 ? [] : [register('global', META_OWNER, meta)]),
    ...[...components.values()].map((one) => ({
      ...register('component', one.key, one.tools),
      state: one.initialState,
    })),
    ...(globals.length === 0 ? [] : [register('global', 'global', globals)]),
  ]
}

/** What of them a session has not, or has another definition of, and never gave up. */
export function missingRegistrations(
  registrations: readonly Registration[],
  { store }: SessionParts,
): readonly Registration[] {
  const { open, closed } = store.getState().state
  return registrations.flatMap((registration) => {
    const known = open.find((one) => sameOwner(one, registration))
    if (known === undefined)
      return closed.some((one) => sameOwner(one, registration)) ? [] : [registration]
    const tools = registration.tools.filter(({ name }) => !known.givenUp?.includes(name))
    const hashes = new Set(known.claims.map(({ hash }) => hash))
    return tools.every(({ hash }) => hashes.has(hash)) ? [] : [{ ...registration, tools }]
  })
}
