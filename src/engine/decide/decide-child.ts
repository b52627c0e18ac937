import { accepted, type Decision, refused, UNCHANGED } from './decision.ts'
import { askingEvents } from './decide-consent.ts'
import type { EndedChild, ExhaustedBudget } from '../model/child-event.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import { allConfirmations, isAskedBy } from '../model/consent-event.ts'
import type { Policy } from '../model/policy.ts'
import { NO_SPENDING, spendingSince } from '../model/step-cost.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { exhaustedBudget } from '../standing/tool-status.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'

/** Decides what a parent records about one of its child sessions. */
export function decideChild(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'child.open' | 'child.end' | 'child.call' | 'child.ask' | 'child.settle'>,
): Decision {
  switch (command.type) {
    case 'child.open': {
      const { child, agent, call, total } = command
      const known = state.children.find(({ session }) => session === child)
      if (known?.isOpen === true && known.call === call) return UNCHANGED
      // A child that was left open by a process that is gone still owes what it spent there.
      const before = known?.isOpen === true ? known.before : total
      return accepted(order, { type: 'child.opened', child, agent, call, before })
    }
    case 'child.end':
      return accepted(order, ...childEndEvents(state, command))
    case 'child.call': {
      const { type: _, ...called } = command
      if (state.callsOfChildren.includes(called.made)) return UNCHANGED
      const spent = exhaustedBudget(called.category, state)
      if (spent !== null) return refused(order, called.tool, spentAbove(called.tool, spent))
      return limitsCalls(state.policy, called.category)
        ? accepted(order, { type: 'child.called', ...called })
        : UNCHANGED
    }
    case 'child.ask': {
      const { question, child } = command
      if (allConfirmations(state).some(({ id }) => id === question.id)) return UNCHANGED
      const { consent: _, seq: __, child: from, ...asked } = question
      const path = from === undefined ? child : `${child}/${from}`
      return accepted(order, ...askingEvents(state, order, { ...asked, child: path }))
    }
    case 'child.settle': {
      const { type: _, consent, ...answer } = command
      const { id } = answer
      const known = allConfirmations(state).find((one) => one.id === id && one.child !== undefined)
      if (known === undefined || known.consent === consent) return UNCHANGED
      return accepted(order, { type: `confirmation.${consent}`, ...answer })
    }
  }
}

/** Returns the end of a child session, and of the questions it asked; nothing when it has ended before. */
export function childEndEvents(
  state: WorkspaceState,
  { child, total }: EndedChild,
): readonly WorkspaceEvent[] {
  const known = state.children.find(({ session }) => session === child)
  if (known?.isOpen !== true) return []
  const spent = total === null ? NO_SPENDING : spendingSince(known.before, total)
  const questions = allConfirmations(state).filter((one) => isAskedBy(one, child))
  return [
    ...questions.map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'child.ended', child, spent },
  ]
}

/** The refusal of a call of a child session for which a session above it has no calls left. */
export function spentAbove(tool: string, { of, limit }: ExhaustedBudget): Refusal {
  const calls = of === 'session' ? 'calls of the parent session' : "calls of the parent's turn"
  return {
    code: 'budget-spent',
    message: `The tool "${tool}" is not available (budget-spent): The ${calls} are spent (${limit}).`,
    hint: 'Continue without it: calls of a child session count in the limits of its parent, too.',
    facts: { tool, status: 'budget-spent', of, limit },
  }
}

/** Returns true when calls of a category are counted against a limit of the policy. */
export function limitsCalls({ limits }: Policy, category: ToolCategory): boolean {
  const { calls, callsInSession, callsPerTurn } = limits
  return [calls, callsInSession, callsPerTurn[category]].some((limit) => limit !== undefined)
}
