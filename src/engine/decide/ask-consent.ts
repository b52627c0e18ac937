import type { Order } from '../model/command.ts'
import type { PendingConfirmation } from '../model/confirmation-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import { accepted, type Decision, type Refusal } from './decision.ts'
import { isExpired } from '../standing/is-expired.ts'

/** Questions that wait at once. A model that goes on asking pushes out its own oldest one. */
const MOST_CONFIRMATIONS = 100

/** The very call a person is asked about. */
type AskedCall = Required<
  Pick<
    PendingConfirmation,
    'tool' | 'source' | 'owner' | 'hash' | 'digest' | 'principal' | 'expiresAt'
  >
>

/** Ask for consent: a confirmation that is stored, and a refusal that names it. */
export function askConsent(state: WorkspaceState, order: Order, call: AskedCall): Decision {
  const asked = { id: order.id, ...call }
  const { drafts } = accepted(
    order,
    ...makingRoom(state, order).map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'confirmation.asked', ...asked },
  )
  return { kind: 'refused', drafts, refusal: consentRefusal({ ...asked, consent: 'pending' }) }
}

/** Why a call that waits for a person, or was denied by one, does not run now. */
export function consentRefusal({
  id,
  tool,
  expiresAt,
  consent,
}: Pick<PendingConfirmation, 'id' | 'tool' | 'expiresAt' | 'consent'>): Refusal {
  const facts = { tool, confirmation: id, expiresAt }
  return consent === 'denied'
    ? {
        code: 'confirmation-denied',
        message: `This call of "${tool}" was denied.`,
        hint: 'Do not repeat it in this turn; ask what to do instead.',
        facts,
      }
    : {
        code: 'confirmation-required',
        message: `"${tool}" runs only after a person approved this very call.`,
        hint: 'Wait for the approval, then repeat the call with the same arguments.',
        facts,
      }
}

/** Confirmations that go for a new one: those past their time, and the oldest of too many. */
function makingRoom(
  { confirmations }: WorkspaceState,
  order: Order,
): readonly PendingConfirmation[] {
  const over = confirmations.filter((one) => isExpired(one, order))
  const rest = confirmations.filter((one) => !isExpired(one, order))
  if (rest.length < MOST_CONFIRMATIONS) return over
  const oldest = rest.find(({ consent }) => consent === 'pending') ?? rest[0]
  return oldest === undefined ? over : [...over, oldest]
}
