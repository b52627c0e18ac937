import type { Command, Order } from '../model/command.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { statePlainCopy, stateTooLarge } from './state-size.ts'
import type { WorkspaceState } from '../model/state.ts'

type Update = Extract<Command, { type: 'component.update' }>

/** Replace a component's state, bounded in size because the entry carries it whole. */
export function decideComponentUpdate(
  state: WorkspaceState,
  order: Order,
  { component, state: next }: Update,
): Decision {
  if (!state.open.some(({ source, owner }) => source === 'component' && owner === component)) {
    return refused(order, component, {
      code: 'component-unknown',
      message: `No component "${component}" is registered.`,
      hint: 'Register it first.',
      facts: { component },
    })
  }
  const copy = statePlainCopy(next)
  if (copy === null) return refused(order, component, stateTooLarge(component))
  return accepted(order, { type: 'component.updated', component, ...copy })
}
