import type { Entry } from '../model/event.ts'
import type { ConfirmationEvent } from '../model/confirmation-event.ts'
import type { ConfirmationState } from '../model/confirmation-state.ts'

/** The confirmations after an entry about one. Pure and total. */
export function evolveConfirmations(
  { confirmations }: ConfirmationState,
  { seq, event }: Pick<Entry, 'seq'> & { readonly event: ConfirmationEvent },
): ConfirmationState['confirmations'] {
  switch (event.type) {
    case 'confirmation.asked': {
      const { type: _, ...asked } = event
      return [...confirmations, { ...asked, consent: 'pending', seq }]
    }
    case 'confirmation.approved':
    case 'confirmation.denied': {
      const consent = event.type === 'confirmation.approved' ? 'approved' : 'denied'
      return confirmations.map((one) => (one.id === event.id ? { ...one, consent, seq } : one))
    }
    case 'confirmation.expired':
      return confirmations.filter(({ id }) => id !== event.id)
  }
}
