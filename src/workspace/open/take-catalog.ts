import type { Catalog } from '../../catalog/create/catalog.ts'
import { withSkills } from '../../catalog/create/create-catalog.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { checkCommand, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import { runAsync } from '../log/maybe-async.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { offeredMetaTools, runOpeningCommands } from './begin-session.ts'
import { checkCatalog } from './check-workspace-options.ts'
import { type OpeningNotice, unregisteredTools } from './opening-notice.ts'
import { noteSetup } from './recorded-options.ts'
import { missingRegistrations, registrations } from './registrations.ts'
import { boundFunctions, resumedPolicy } from './session-policy.ts'
import type { PolicyOptions, WorkspaceOptions } from './workspace-options.ts'

/** Options of taking a catalog. */
export interface TakeCatalogOptions extends CommandOptions {
  /** Rules of the configuration that was read with the catalog. A list that is not given stays. */
  readonly permissions?: PolicyOptions['permissions']
}

/**
 * Replaces the catalog of an open session, in its turn among the commands.
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
  const { dispatcher, current, components, attached } = parts
  const cause = { by } as const
  await dispatcher.dispatch(async (state) => {
    await current.take(given, state)
    for (const component of given.components.values()) components.set(component.key, component)
    // A process that attaches to a session of another host does not say what that host has.
    if (attached) return { type: 'catalog.use' }
    const setup = noteSetup(options, parts, given)
    return { type: 'catalog.take', catalog: given.hash, setup, kept: current.kept }
  }, cause)
  if (permissions !== undefined) {
    const rules: PolicyOptions = { permissions, ...(attached && { onResume: 'tighten' }) }
    await dispatcher.dispatch(({ policy }) => {
      const next = resumedPolicy(rules, policy)
      parts.bindFunctions(boundFunctions(permissions, parts.context.functions, policy))
      return { type: 'policy.set', policy: next }
    }, cause)
  }
  const own = registrations(options, parts, offeredMetaTools(options, parts))
  for (const registration of own) parts.handlers.bind(parts.store.getState().state, registration)
  const missing = missingRegistrations(own, parts)
  const notices = attached
    ? unregisteredTools(missing, parts)
    : await runAsync(
        runOpeningCommands(missing, cause, (command) => dispatcher.dispatch(command, cause)),
      )
  return [...notices, ...current.kept.map((skill) => keptNotice(skill, given.skills.has(skill)))]
}

function keptNotice(skill: string, isThere: boolean): OpeningNotice {
  return isThere
    ? {
        code: 'skill-kept',
        message: `The active skill "${skill}" changed. The session keeps the definition that it activated.`,
        hint: `Accept the new one with acceptSkill("${skill}").`,
      }
    : {
        code: 'skill-kept',
        message: `The active skill "${skill}" is no longer in the catalog. The session keeps the definition that it activated.`,
        hint: 'It leaves when it is deactivated.',
      }
}

/** Adds a skill to the catalog that the host gave last, or replaces the one of its name. */
export async function registerSkill(
  options: WorkspaceOptions,
  parts: SessionParts,
  skill: Skill,
  taking?: CommandOptions,
): Promise<readonly OpeningNotice[]> {
  const { given } = parts.current
  return takeCatalog(options, parts, await withSkills(given, [skill]), taking)
}

/** Accepts the new definition of an active skill. When it is refused, the skill keeps its definition. */
export async function acceptSkill(
  { dispatcher, current, context }: SessionParts,
  skill: string,
  options: CommandOptions = {},
): Promise<Outcome> {
  checkCommand({ skill }, options, {})
  const { by = 'host' } = options
  const { catalog: before } = context
  const outcome = await dispatcher.dispatch(
    async (state) => {
      if (current.kept.includes(skill) && current.given.skills.has(skill)) {
        await current.take(current.given, state, skill)
      }
      return { type: 'skill.accept', skill }
    },
    { by },
  )
  if (!outcome.ok && context.catalog !== before) current.set(before)
  return outcome
}

/** Takes the catalog again when a skill that kept its definition was deactivated. */
export async function releaseKeptSkills(
  options: WorkspaceOptions,
  parts: SessionParts,
): Promise<void> {
  const { current, store } = parts
  if (!current.isOutdated(store.getState().state)) return
  await takeCatalog(options, parts, current.given).catch(ignoreClosed)
}

/** A session that is closed needs no other catalog. */
function ignoreClosed(error: unknown): void {
  if (!WorkspaceError.is(error) || error.code !== 'WORKSPACE_CLOSED') throw error
}
