import { activeSkills } from '../../../entries/kit.ts'
import type { Guide, PlaygroundContext } from './playground-context.ts'

/** One thing to try on a screen. */
interface GuideStep {
  /** The keys and what they show; at most 66 columns. */
  readonly says: string
  isDone(context: PlaygroundContext): boolean
}

/** Makes the guide of `loadout demo`. Its last step stays. */
export function createDemoGuide(): Guide {
  let at = 0
  return {
    current(context) {
      const next = STEPS.findIndex((step, place) => place >= at && !step.isDone(context))
      at = next
      return { says: STEPS[at]?.says ?? '', place: `${at + 1} of ${STEPS.length}` }
    },
  }
}

const STEPS: readonly GuideStep[] = [
  {
    says: 'Space activates "billing": its tools come, with their price',
    isDone: (context) => activeSkills(context.workspace().state).includes('billing'),
  },
  {
    says: '> and Enter: a customer writes, a scripted model calls tools',
    isDone: (context) => asked(context) || context.workspace().state.turn > 1,
  },
  {
    says: 'A refund waits for you. Tab goes to it, y is yes, n is no',
    isDone: (context) => !asked(context) && context.frames.busy() === null,
  },
  {
    says: 'Enter in the chat: the next message brings another skill',
    isDone: (context) => activeSkills(context.workspace().state).includes('mailing'),
  },
  {
    says: 'Esc, 2, / send, Enter, Enter: why is send_mail not there?',
    isDone: ({ ui }) => ui.getState().focus === 'why' && ui.getState().list === 'tools',
  },
  {
    says: 'Esc, 4, [ : the step that lost the cache, and its cause',
    isDone: ({ ui }) => ui.getState().moment !== null,
  },
  {
    says: 'Esc is now again. ? lists the keys. q leaves, and says more',
    isDone: () => false,
  },
]

function asked(context: PlaygroundContext): boolean {
  return context.workspace().state.confirmations.length > 0
}
