import type { ToolListing } from '../../../entries/index.ts'
import { openSkill } from '../../../entries/kit.ts'
import { askConsent } from './ask-consent.ts'
import { changeSession, type SessionChange, whyNoChange } from './change-session.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type ActivationTerms, note } from '../context/ui-state.ts'

/** Activates a skill, or deactivates it if it is active when its turn in the queue comes. */
export async function toggleSkill(context: PlaygroundContext, skill: string): Promise<void> {
  const isActive = openSkill(context.workspace().state, skill) !== null
  if (!isActive && (await needsConsent(context, skill, {}))) return
  return changeSession(context, ({ state }) =>
    openSkill(state, skill) === null ? activation(skill, {}) : deactivation(skill, false),
  )
}

/** Activates a skill, with a lifetime, or by deactivating the skills that conflict with it. */
export async function activateSkill(
  context: PlaygroundContext,
  skill: string,
  how: ActivationTerms = {},
): Promise<void> {
  if (!(await needsConsent(context, skill, how))) return activateAgreed(context, skill, how)
}

/** Activates a skill that needs no consent, or has it. */
export function activateAgreed(
  context: PlaygroundContext,
  skill: string,
  { lifetime, replace }: ActivationTerms,
): Promise<void> {
  const how = { ...(lifetime && { lifetime }), ...(replace && { replace }) }
  return changeSession(context, () => activation(skill, how))
}

/** Asks the person about a skill of a folder that is not trusted. Returns false when there is no question. */
async function needsConsent(
  context: PlaygroundContext,
  skill: string,
  how: ActivationTerms,
): Promise<boolean> {
  if (context.consent === null || whyNoChange(context) !== null) return false
  return askConsent(context, skill, { kind: 'activate', ...how })
}

/** Deactivates a skill together with the skills that require it. */
export function deactivateWithDependents(context: PlaygroundContext, skill: string): Promise<void> {
  return changeSession(context, () => deactivation(skill, true))
}

function activation(skill: string, how: ActivationTerms): SessionChange {
  return {
    doing: `activating ${skill}`,
    done: `${skill} activated`,
    run: (workspace) => workspace.activateSkill(skill, { ...how, by: 'user' }),
  }
}

function deactivation(skill: string, cascade: boolean): SessionChange {
  return {
    doing: `deactivating ${skill}`,
    done: `${skill} deactivated`,
    run: (workspace) => workspace.deactivateSkill(skill, { cascade, by: 'user' }),
  }
}

/** Switches a tool off, or on if it is off when its turn in the queue comes. */
export function switchTool(context: PlaygroundContext, { name }: ToolListing): Promise<void> {
  return changeSession(context, (workspace) => {
    const enabled = workspace.explain(name).status === 'disabled'
    const direction = enabled ? 'on' : 'off'
    return {
      doing: `switching ${name} ${direction}`,
      done: `${name} switched ${direction}`,
      run: () => workspace.setToolEnabled(name, enabled, { by: 'user' }),
    }
  })
}

/** Releases a tool from quarantine, for exactly the definition that is shown. */
export function acceptTool(context: PlaygroundContext, listing: ToolListing): void | Promise<void> {
  const { name, status, tool } = listing
  if (status !== 'changed' || tool === undefined) {
    const text = `The definition of "${name}" has not changed: there is nothing to accept.`
    return context.ui.setState({ banner: note('note', text) })
  }
  const { hash } = tool
  return changeSession(context, (workspace) => ({
    doing: `accepting ${name}`,
    done: `${name} accepted`,
    run: () => workspace.acceptTool(name, { by: 'user', hash }),
  }))
}

/** Activates the skill of a tool. */
export function activateOwner(
  context: PlaygroundContext,
  { name, source, owner, status }: ToolListing,
): void | Promise<void> {
  if (source === 'skill' && status === 'skill-inactive') return activateSkill(context, owner)
  const isActive = source === 'skill' && openSkill(context.workspace().state, owner) !== null
  const text = isActive
    ? `The skill "${owner}" of "${name}" is already active. Press Enter to see the reason and the fix.`
    : `"${name}" has no skill to activate. Press Enter to see the reason and the fix.`
  context.ui.setState({ banner: note('note', text) })
}
