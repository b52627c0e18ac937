import type { SessionJournal } from '../commands/session-journal.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { checkDefinitions } from '../../catalog/create/create-catalog.ts'
import type { Cause } from '../../engine/model/cause.ts'
import { acceptHint } from '../../engine/explain/explain-skill.ts'
import type { CommandOf } from '../../engine/model/command.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { CatalogChange } from '../commands/current-catalog.ts'
import { checkCommand, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { offeredMetaTools, runOpeningCommands } from './begin-session.ts'
import { checkCatalog } from './check-workspace-options.ts'
import { type OpeningNotice, unregisteredTools, uselessRules } from './opening-notice.ts'
import { noteSetup } from './recorded-options.ts'
import { missingRegistrations, registrations } from './registrations.ts'
import { keepRules, resumedPolicy } from './session-policy.ts'
import type { PolicyOptions, WorkspaceOptions } from './workspace-options.ts'

/** Options of taking a catalog. */
export interface TakeCatalogOptions extends CommandOptions {
  /** Rules of the configuration that was read with the catalog. A list that is not given stays. */
  readonly permissions?: PolicyOptions['permissions']
}

/** Options of a skill that a session gets in addition to its catalog. */
export interface RegisterSkillOptions extends CommandOptions {
  /**
   * True for a skill that the host vouches for. Of any other, the tools cannot declare themselves safe, `allowed-tools`
   * approves nothing, a later change of a tool needs `acceptTool`, and it cannot take the name of a trusted skill.
   */
  readonly trusted?: boolean
}

/**
 * Replaces the catalog of an open session, in its turn among the commands. Skills that were registered in the session
 * stay.
 *
 * Active skills keep the definition that they were activated with. Meta-tools, components and shared tools
 * are registered as when the session is resumed: new and changed ones, and none that was unregistered. Those
 * that the catalog no longer has stay. A process that attached registers none.
 */
export async function takeCatalog(
  options: WorkspaceOptions,
  parts: SessionParts,
  given: Catalog,
  taking: TakeCatalogOptions = {},
): Promise<readonly OpeningNotice[]> {
  checkCommand({}, taking, { permissions: true })
  checkCatalog(given)
  const { by = 'host', permissions } = taking
  const { dispatcher, components, attached } = parts
  const cause = { by } as const
  for (const component of given.components.values()) components.set(component.key, component)
  await takeWith(options, parts, cause, () => ({ host: given }))
  if (permissions !== undefined) {
    const rules: PolicyOptions = { permissions, ...(attached && { onResume: 'tighten' }) }
    await dispatcher.dispatch(({ policy }) => {
      const next = resumedPolicy(rules, policy)
      keepRules(permissions, policy, parts.context)
      return { type: 'policy.set', policy: next }
    }, cause)
  }
  return [...(await registerMissing(options, parts, cause)), ...uselessRules(permissions, parts)]
}

/** A change of the catalog, with what its command says more than the catalog. */
interface Taken extends CatalogChange {
  readonly host: Catalog
  readonly command?: Pick<CommandOf<'catalog.take'>, 'registers' | 'unregisters'>
}

/** Takes a catalog in a command. When it is refused, the one before counts. */
async function takeWith(
  options: WorkspaceOptions,
  parts: SessionParts,
  cause: Cause,
  change: () => Taken,
): Promise<Outcome> {
  const { dispatcher, current, attached } = parts
  const undo = current.remember()
  const outcome = await dispatcher.dispatch(async (state) => {
    const { host, command, ...changes } = change()
    await current.take(host, state, changes)
    // A process that attaches to a session of another host does not say what that host has.
    if (attached) return { type: 'catalog.use' }
    const { given, kept } = current
    const setup = noteSetup(options, parts, given)
    return { type: 'catalog.take', catalog: given.hash, setup, kept, ...command }
  }, cause)
  if (!outcome.ok) undo()
  return outcome
}

/** Registers what the catalog brings besides skills. Returns notices, also about active skills that have changed. */
async function registerMissing(
  options: WorkspaceOptions,
  parts: SessionParts,
  cause: Cause,
): Promise<readonly OpeningNotice[]> {
  const { current, attached } = parts
  const own = registrations(options, parts, offeredMetaTools(options, parts))
  for (const registration of own) parts.handlers.bind(parts.store.getState().state, registration)
  const missing = missingRegistrations(own, parts)
  const notices = attached
    ? unregisteredTools(missing, parts)
    : await runOpeningCommands(missing, cause, parts)
  const { kept, given } = current
  return [...notices, ...kept.map((skill) => keptNotice(skill, given.skills.has(skill)))]
}

function keptNotice(skill: string, isThere: boolean): OpeningNotice {
  return {
    code: 'skill-kept',
    message: `The active skill "${skill}" ${isThere ? 'changed' : 'is no longer in the catalog'}. The session keeps the definition that it activated.`,
    hint: isThere ? acceptHint(skill) : 'It leaves when it is deactivated.',
  }
}

/** Adds a skill to a session, in addition to the catalog of its host, or replaces the one of its name there. */
export async function registerSkill(
  options: WorkspaceOptions,
  parts: SessionParts,
  skill: Skill,
  registering: RegisterSkillOptions = {},
): Promise<readonly OpeningNotice[]> {
  checkCommand({}, registering, { trusted: 'switch' })
  checkDefinitions({ skills: [skill] })
  const { by = 'host', trusted = false } = registering
  const { current, attached } = parts
  if (attached) {
    return [
      {
        code: 'skill-not-registered',
        message: `The skill "${skill.name}" is not registered: this process attached to the session of another host.`,
        hint: 'Register it in the process of the host.',
      },
    ]
  }
  const outcome = await takeWith(options, parts, { by }, () => {
    const { host } = current
    const { name, hash: definition } = skill
    const inCatalog = host.skills.get(name)?.hash ?? null
    return {
      host,
      registers: skill,
      command: { registers: [{ skill: name, definition, trusted, inCatalog }] },
    }
  })
  return outcome.ok ? registerMissing(options, parts, { by }) : [outcome]
}

/** Removes a skill that was registered in the session. While it is active, it keeps its definition. */
export async function unregisterSkill(
  options: WorkspaceOptions,
  parts: SessionParts,
  skill: string,
  removing: CommandOptions = {},
): Promise<Outcome> {
  checkCommand({ skill }, removing, {})
  const { by = 'host' } = removing
  return takeWith(options, parts, { by }, () => {
    return { host: parts.current.host, unregisters: skill, command: { unregisters: skill } }
  })
}

/** Accepts the new definition of an active skill. When it is refused, the skill keeps its definition. */
export async function acceptSkill(
  { dispatcher, current }: SessionJournal,
  skill: string,
  options: CommandOptions = {},
): Promise<Outcome> {
  checkCommand({ skill }, options, {})
  const { by = 'host' } = options
  const undo = current.remember()
  const outcome = await dispatcher.dispatch(
    async (state) => {
      if (current.kept.includes(skill) && current.given.skills.has(skill)) {
        await current.take(current.host, state, { accepts: skill })
      }
      return { type: 'skill.accept', skill }
    },
    { by },
  )
  if (!outcome.ok) undo()
  return outcome
}

/**
 * Takes the catalog again when a skill that kept its definition was deactivated, and when another process has
 * registered skills in the session.
 */
export async function refreshCatalog(
  options: WorkspaceOptions,
  parts: SessionParts,
): Promise<void> {
  const { current, store } = parts
  if (!current.isOutdated(store.getState().state)) return
  try {
    await takeCatalog(options, parts, current.host)
  } catch (error) {
    // A session that is closed needs no other catalog.
    if (!WorkspaceError.is(error) || error.code !== 'WORKSPACE_CLOSED') throw error
  }
}
