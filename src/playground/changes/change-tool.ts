import type { ToolListing } from '../../engine/standing/list-tools.ts'
import { openSkill } from '../../engine/standing/skill-standing.ts'
import { note } from '../context/banner.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { changeSession } from './change-session.ts'
import { equipSkill } from './equip-skill.ts'

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
export function equipOwner(
  context: PlaygroundContext,
  { name, source, owner, status }: ToolListing,
): void | Promise<void> {
  if (source === 'skill' && status === 'skill-inactive') return equipSkill(context, owner)
  const isEquipped = source === 'skill' && openSkill(context.workspace().state, owner) !== null
  const text = isEquipped
    ? `"${owner}", which brings "${name}", is equipped already. Enter shows what would change it.`
    : `There is no skill to equip for "${name}". Enter shows what would change it.`
  context.ui.setState({ banner: note('note', text) })
}
