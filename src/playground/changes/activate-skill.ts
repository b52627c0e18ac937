import { openSkill } from '../../engine/standing/assess-skill.ts'
import type { ToolListing } from '../../engine/standing/list-tools.ts'
import { changeSession, type SessionChange } from './change-session.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note } from '../context/ui-state.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'

/** Equip a skill, or put it away when it is equipped as its turn comes. */
export function toggleSkill(context: PlaygroundContext, skill: string): Promise<void> {
  return changeSession(context, ({ state }) =>
    openSkill(state, skill) === null ? activation(skill, {}) : deactivation(skill, false),
  )
}

/** Equip a skill for so long, or by putting away what conflicts with it. */
export function activateSkill(
  context: PlaygroundContext,
  skill: string,
  how: { readonly lifetime?: Lifetime; readonly replace?: boolean } = {},
): Promise<void> {
  return changeSession(context, () => activation(skill, how))
}

/** Put a skill away with those that require it. */
export function deactivateWithDependents(context: PlaygroundContext, skill: string): Promise<void> {
  return changeSession(context, () => deactivation(skill, true))
}

function activation(
  skill: string,
  how: { readonly lifetime?: Lifetime; readonly replace?: boolean },
): SessionChange {
  return {
    doing: `equipping ${skill}`,
    done: `${skill} is equipped`,
    run: (workspace) => workspace.activateSkill(skill, { ...how, by: 'user' }),
  }
}

function deactivation(skill: string, cascade: boolean): SessionChange {
  return {
    doing: `putting ${skill} away`,
    done: `${skill} is put away`,
    run: (workspace) => workspace.deactivateSkill(skill, { cascade, by: 'user' }),
  }
}

/** Switch a tool off, or on again when it is off as its turn comes. */
export function switchTool(context: PlaygroundContext, { name }: ToolListing): Promise<void> {
  return changeSession(context, (workspace) => {
    const enabled = workspace.explain(name).status === 'disabled'
    const direction = enabled ? 'on' : 'off'
    return {
      doing: `switching ${name} ${direction}`,
      done: `${name} is switched ${direction}`,
      run: () => workspace.setToolEnabled(name, enabled, { by: 'user' }),
    }
  })
}

/** Take a tool out of quarantine, with the definition that is shown and no other. */
export function acceptTool(context: PlaygroundContext, listing: ToolListing): void | Promise<void> {
  const { name, status, tool } = listing
  if (status !== 'changed' || tool === undefined) {
    const text = `The definition of "${name}" is one that may be called.`
    return context.ui.setState({ banner: note('note', text) })
  }
  const { hash } = tool
  return changeSession(context, (workspace) => ({
    doing: `accepting ${name}`,
    done: `${name} is accepted`,
    run: () => workspace.acceptTool(name, { by: 'user', hash }),
  }))
}

/** Equip the skill that brings a tool. */
export function activateOwner(
  context: PlaygroundContext,
  { name, source, owner, status }: ToolListing,
): void | Promise<void> {
  if (source === 'skill' && status === 'skill-inactive') return activateSkill(context, owner)
  const isEquipped = source === 'skill' && openSkill(context.workspace().state, owner) !== null
  const text = isEquipped
    ? `"${owner}", which brings "${name}", is equipped already. Enter shows what would change it.`
    : `There is no skill to equip for "${name}". Enter shows what would change it.`
  context.ui.setState({ banner: note('note', text) })
}
