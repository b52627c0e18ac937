import type { SessionJournal } from '../commands/session-journal.ts'
import { assertComponent, type ToolComponent } from '../../components/define-component.ts'
import type { Command } from '../../engine/model/command.ts'
import { META_OWNER, sameOwner, type ToolSource } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import {
  checkedText,
  checkKind,
  checkOptions,
  type OptionTable,
} from '../../kernel/check-options.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import { assertTool } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { COMMAND_OPTIONS, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** The command that registers the tools of an owner. */
export type RegisterCommand = Extract<Command, { type: 'source.register' }>

/** An owner whose tools are removed, or one of its tools. */
export type Unregistration = Omit<Extract<Command, { type: 'source.unregister' }>, 'type'>

/** Returns the registrations of an opening: meta-tools, components and global tools. */
export function registrations(
  options: WorkspaceOptions,
  { components, context }: SessionJournal,
  meta: readonly Tool[],
): readonly RegisterCommand[] {
  const { catalog } = context
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
  options.tools?.forEach(assertTool)
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

/** Returns the registrations that a session lacks, or has with another definition. Removed ones stay removed. */
export function missingRegistrations(
  registrations: readonly RegisterCommand[],
  { store }: SessionJournal,
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

/** Registers the tools of an owner. */
export async function registerTools(
  { dispatcher }: SessionJournal,
  registered: Pick<RegisterCommand, 'source' | 'owner' | 'tools' | 'state'>,
  options: RegistrationOptions = {},
): Promise<Outcome> {
  checkOptions(options, REGISTRATION_OPTIONS)
  const { by = 'host', onConflict = 'refuse', replace = false, trusted = true } = options
  registered.tools.forEach(assertTool)
  const terms = { onConflict, replace, ...(!trusted && { trusted }) }
  return dispatcher.dispatch({ type: 'source.register', ...registered, ...terms }, { by })
}

/** Replaces all tools of a server by these. A server is not trusted unless the host says so. */
export async function syncTools(
  { dispatcher }: SessionJournal,
  server: string,
  tools: readonly Tool[],
  options: Omit<RegistrationOptions, 'replace'> = {},
): Promise<Outcome> {
  const owner = checkedText(server, 'server')
  checkOptions(options, SYNC_OPTIONS)
  const { by = 'host', onConflict = 'refuse', trusted = false } = options
  checkKind(tools, 'tools', 'list')
  tools.forEach(assertTool)
  const terms = { onConflict, ...(!trusted && { trusted }) }
  return dispatcher.dispatch(
    { type: 'source.sync', source: 'server', owner, tools, ...terms },
    { by },
  )
}

/**
 * Registers a component. It is added before its entry is logged, because listeners draw its panel when they
 * get the entry. A refused component is removed again.
 */
export async function registerComponent(
  parts: SessionJournal,
  component: ToolComponent,
  options?: RegistrationOptions,
): Promise<Outcome> {
  assertComponent(component)
  const { key, tools, initialState: state } = component
  const { components } = parts
  const before = components.get(key)
  components.set(key, component)
  let isRegistered = false
  try {
    const registered = { source: 'component', owner: key, tools, state } as const
    const outcome = await registerTools(parts, registered, options)
    isRegistered = outcome.ok
    return outcome
  } finally {
    if (!isRegistered && before) components.set(key, before)
    else if (!isRegistered) components.delete(key)
  }
}

/** Finds a registered component, with its current state. Throws `COMPONENT_UNKNOWN`. */
export function registeredComponent(
  key: string,
  { components: states }: WorkspaceState,
  components: ReadonlyMap<string, ToolComponent>,
): { readonly component: ToolComponent; readonly state: JsonValue } {
  const component = components.get(key)
  const known = states.find((one) => one.key === key)
  if (component && known) return { component, state: known.state }
  const facts = { component: key, known: states.map((one) => one.key) }
  if (known) {
    throw new WorkspaceError(
      'COMPONENT_UNKNOWN',
      `The session has the component "${key}", and this process has no definition of it.`,
      { facts, hint: 'Open the session with its definition, in the catalog or in "components".' },
    )
  }
  throw new WorkspaceError('COMPONENT_UNKNOWN', `No component "${key}" is registered.`, {
    facts,
    hint: 'Register it first.',
  })
}

/** Restores a component from an exported state. Rejects with what `restoreState` throws. */
export async function restoreComponent(
  { dispatcher, components, store }: SessionJournal,
  key: string,
  exported: JsonValue,
  options: CommandOptions = {},
): Promise<Outcome> {
  const { component } = registeredComponent(key, store.getState().state, components)
  checkOptions(options, COMMAND_OPTIONS)
  const state = component.restoreState(exported)
  const { by = 'host' } = options
  return dispatcher.dispatch({ type: 'component.update', component: key, state }, { by })
}

const SYNC_OPTIONS: OptionTable = {
  ...COMMAND_OPTIONS,
  onConflict: ['refuse', 'shadow', 'namespace'],
  trusted: 'switch',
}

const REGISTRATION_OPTIONS: OptionTable = { ...SYNC_OPTIONS, replace: 'switch' }

/** Options of a registration at run time. */
export interface RegistrationOptions extends CommandOptions {
  readonly onConflict?: OnConflict
  /**
   * True: new definitions replace those that the same owner registered before with the same name and
   * version; refused otherwise. The tools of a component replace all that it had: those that it no longer has
   * are removed.
   */
  readonly replace?: boolean
  /**
   * False for tools that the host does not trust, such as those of a server it does not run. Their own
   * statements about risk are ignored where they would make the tools seem safe.
   */
  readonly trusted?: boolean
}
