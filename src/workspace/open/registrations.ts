import type { ToolComponent } from '../../components/define-component.ts'
import type { Command } from '../../engine/model/command.ts'
import { META_OWNER, sameOwner, type ToolSource } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { CommandOptions, Outcome } from '../commands/outcome.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

type RegisterCommand = Extract<Command, { type: 'source.register' }>

/** What a session is opened with: its meta-tools, its components, the tools that are always there. */
export function registrations(
  options: WorkspaceOptions,
  { components, surroundings }: SessionParts,
  meta: readonly Tool[],
): readonly RegisterCommand[] {
  const { catalog } = surroundings
  const register = (
    source: typeof ToolSource.COMPONENT | typeof ToolSource.GLOBAL,
    owner: string,
    tools: readonly Tool[],
  ): RegisterCommand => ({
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
  registrations: readonly RegisterCommand[],
  { store }: SessionParts,
): readonly RegisterCommand[] {
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

type Register = Extract<Command, { type: 'source.register' }>

/** Register the tools of an owner, and take their handlers for calls of them. */
export function registerTools(
  { definitions, dispatcher }: SessionParts,
  registered: Pick<Register, 'source' | 'owner' | 'tools' | 'state'>,
  { by = 'host', onConflict = 'refuse', replace = false, trusted = true }: RegistrationOptions = {},
): Promise<Outcome> {
  for (const tool of registered.tools) {
    if (trusted) definitions.bind(tool)
    else definitions.bindUntrusted(tool)
  }
  const terms = { onConflict, replace, ...(!trusted && { trusted }) }
  return dispatcher.dispatch({ type: 'source.register', ...registered, ...terms }, { by })
}

/**
 * Register a component. It is known before its entry is there, since listeners draw its panel with
 * the entry; one that was refused is forgotten again.
 */
export async function registerComponent(
  parts: SessionParts,
  component: ToolComponent,
  options?: RegistrationOptions,
): Promise<Outcome> {
  const { key, tools, initialState: state } = component
  const { components } = parts
  const before = components.get(key)
  components.set(key, component)
  let stands = false
  try {
    const registered = { source: 'component', owner: key, tools, state } as const
    const outcome = await registerTools(parts, registered, options)
    stands = outcome.ok
    return outcome
  } finally {
    if (!stands && before) components.set(key, before)
    else if (!stands) components.delete(key)
  }
}

/** A component of a session, with its state as it is now. */
interface RegisteredComponent {
  readonly component: ToolComponent
  readonly state: JsonValue
}

/** Look a component up. Throws `COMPONENT_UNKNOWN`. */
export function registeredComponent(
  key: string,
  { components: held }: WorkspaceState,
  components: ReadonlyMap<string, ToolComponent>,
): RegisteredComponent {
  const component = components.get(key)
  const known = held.find((one) => one.key === key)
  if (component && known) return { component, state: known.state }
  const facts = { component: key, known: held.map((one) => one.key) }
  if (known) {
    throw new WorkspaceError(
      'COMPONENT_UNKNOWN',
      `The session has the component "${key}", and this process has no definition of it.`,
      { facts, hint: 'Open the session with its definition, in the catalog or by "components".' },
    )
  }
  throw new WorkspaceError('COMPONENT_UNKNOWN', `No component "${key}" is registered.`, {
    facts,
    hint: 'Register it first.',
  })
}

/** How tools are registered at run time. */
export interface RegistrationOptions extends CommandOptions {
  readonly onConflict?: OnConflict
  /**
   * Other definitions may take the place of those that the same owner registered before under the same
   * name and version, as when a server changed its tools; refused otherwise.
   */
  readonly replace?: boolean
  /**
   * False for tools the host does not vouch for, as those of a server it does not run: what they say
   * of their own risk is not believed where that would make them seem safe.
   */
  readonly trusted?: boolean
}
