import { activeSkills } from '../../../entries/kit.ts'
import type { Guide, PlaygroundContext } from './playground-context.ts'

/** One thing to try on a screen. */
interface GuideStep {
  /** The keys and what they show; one line of 80 columns. */
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
    says: 'Space activates the skill "billing": see its tools come, and what they cost',
    isDone: (context) => activeSkills(context.workspace().state).includes('billing'),
  },
  {
    says: '> then Enter: a customer writes, and a scripted model calls tools',
    isDone: (context) => asked(context) || context.workspace().state.turn > 1,
  },
  {
    says: 'A refund waits for you. Tab goes to it, y says yes, n no',
    isDone: (context) => !asked(context) && context.frames.busy() === null,
  },
  {
    says: 'Enter in the chat once more: the model loads another skill (> opens the field)',
    isDone: (context) => activeSkills(context.workspace().state).includes('mailing'),
  },
  {
    says: 'Esc, 2, / send Enter, Enter: why is send_mail not there? The rule, its file and line',
    isDone: ({ ui }) => ui.getState().focus === 'why' && ui.getState().list === 'tools',
  },
  {
    says: 'Esc, 4, [ : the step that lost the cache. The screen is that moment, with its cause',
    isDone: ({ ui }) => ui.getState().moment !== null,
  },
  {
    says: 'Esc is back at now. ? lists all keys. q leaves, and says what to type next',
    isDone: () => false,
  },
]

function asked(context: PlaygroundContext): boolean {
  return context.workspace().state.confirmations.length > 0
}
