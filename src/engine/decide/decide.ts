import { decideActivation, decideSkillResume } from './decide-activation.ts'
import { decideAbandonment, decideCall, decideCallEnd } from './decide-call.ts'
import { decideChild } from './decide-child.ts'
import { decideCondition, newFact } from './decide-condition.ts'
import { decideConsent, decideElicitation } from './decide-consent.ts'
import { decideRevocation } from './decide-revocation.ts'
import { decideDeactivation } from './decide-deactivation.ts'
import { decideIntent } from './decide-intent.ts'
import {
  decideComponentUpdate,
  decideCatalog,
  decideRegistration,
  decideSync,
  decideToolSwitch,
  decideUnregistration,
} from './decide-registration.ts'
import { decideRules, decideSearch, decideSearchStart, decideSummary } from './decide-search.ts'
import { decideSkillAcceptance, decideToolAcceptance } from './decide-tool-acceptance.ts'
import { decideAnswer, decideStep } from './decide-step.ts'
import { decideTurn } from './decide-turn.ts'
import { accepted, type Decision, refused, UNCHANGED } from './decision.ts'
import type { Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { LOG_FORMAT } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'

/**
 * Decides a command: returns events, a refusal, or a plan with hooks to run first.
 *
 * Pure: time and randomness come with the order. The same state, order and context give the same
 * decision, so a plan can be recognised after a conflicting append.
 */
export function decide(state: WorkspaceState, order: Order, context: EngineContext): Decision {
  const { command } = order
  switch (command.type) {
    case 'session.open': {
      const { session, agent, tokenizer, principal, policy, setup, project, parent, asOf } = command
      const { catalog } = context
      if (state.opening !== null) return refused(order, session, alreadyOpen(session))
      return accepted(order, {
        type: 'session.opened',
        format: LOG_FORMAT,
        session,
        agent,
        catalog: catalog.hash,
        ...(setup !== undefined && { setup }),
        ...(project !== undefined && { project }),
        tokenizer,
        principal,
        policy,
        ...(parent !== undefined && { parent }),
        ...(asOf !== undefined && { asOf }),
      })
    }
    case 'catalog.take':
      return decideCatalog(state, order, command)
    case 'catalog.use':
      return UNCHANGED
    case 'policy.set': {
      const { policy } = command
      const isSame = canonicalJson(policy) === canonicalJson(state.policy)
      return isSame ? UNCHANGED : accepted(order, { type: 'policy.changed', policy })
    }
    case 'skill.activate':
      return decideActivation(state, order, command, context)
    case 'skill.deactivate':
      return decideDeactivation(state, order, command, context)
    case 'fact.note': {
      const fact = newFact(command, state, context.catalog)
      return fact === null ? UNCHANGED : accepted(order, fact)
    }
    case 'condition.settle':
      return decideCondition(state, order, command, context)
    case 'skill.accept':
      return decideSkillAcceptance(state, order, command, context)
    case 'skill.resume':
      return decideSkillResume(state, command)
    case 'source.register':
      return decideRegistration(state, order, command, context)
    case 'source.sync':
      return decideSync(state, order, command, context)
    case 'source.fail':
      return refused(order, command.owner, command.refusal)
    case 'source.unregister':
      return decideUnregistration(state, order, command)
    case 'tool.switch':
      return decideToolSwitch(state, order, command, context)
    case 'turn.begin':
      return decideTurn(state, order, context)
    case 'turn.end':
      return state.endedTurn === state.turn
        ? UNCHANGED
        : accepted(order, { type: 'turn.ended', turn: state.turn })
    case 'intent.take':
    case 'intent.settle':
      return decideIntent(state, order, command)
    case 'metrics.reset':
      return accepted(order, { type: 'metrics.reset' })
    case 'step.begin':
      return decideStep(state, order, command)
    case 'step.report': {
      const { type: _, ...report } = command
      // The same answer may be given again.
      const isKnown = (state.reported.last?.step ?? 0) >= report.step
      return isKnown ? UNCHANGED : accepted(order, { type: 'step.reported', ...report })
    }
    case 'step.answer':
    case 'step.repeat':
      return decideAnswer(state, order, command)
    case 'session.compact': {
      const { type: _, ...compacted } = command
      return accepted(order, { type: 'session.compacted', ...compacted })
    }
    case 'warning.give': {
      const { code, subject, message, hint } = command
      return accepted(order, { type: 'warning.given', code, subject, message, hint })
    }
    case 'component.update':
      return decideComponentUpdate(state, order, command)
    case 'call.start':
      return decideCall(state, order, command, context)
    case 'call.end':
      return decideCallEnd(state, order, command, context)
    case 'confirmation.approve':
    case 'confirmation.deny':
      return decideConsent(state, order, command, context)
    case 'confirmation.elicit':
      return decideElicitation(state, order, command)
    case 'approval.revoke':
      return decideRevocation(state, order, command, context)
    case 'tool.accept':
      return decideToolAcceptance(state, order, command, context)
    case 'call.abandon':
      return decideAbandonment(state, order, command)
    case 'search.start':
      return decideSearchStart(order, command)
    case 'search.end':
      return decideSearch(state, order, command, context)
    case 'rules.send':
      return decideRules(state, order, command)
    case 'child.open':
    case 'child.end':
    case 'child.call':
    case 'child.ask':
    case 'child.settle':
      return decideChild(state, order, command)
    case 'memory.summarise':
      return decideSummary(state, order, command)
  }
}

/** The refusal when another process opened the session after this one had read its log. */
function alreadyOpen(session: string): Refusal {
  return {
    code: 'session-already-open',
    message: `The session "${session}" is already open.`,
    hint: 'Resume it instead.',
    facts: { session },
  }
}
