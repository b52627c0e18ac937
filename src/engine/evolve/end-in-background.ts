import {
  type BackgroundEvent,
  type BackgroundResults,
  type BackgroundState,
  EMPTY_BACKGROUND,
  type EndedBackgroundCall,
  type RunningBackgroundCall,
} from '../model/call-event.ts'

type Background = BackgroundState['background']

/** Results that are kept until the next step, and ids of further ones. */
const MOST_RESULTS = 10

const MOST_LEFT_OUT = 20

/** Moves a call to the background. */
export function detachCall(
  background: Background,
  { call, tool, caller }: BackgroundEvent,
  seq: number,
): Background {
  const running: RunningBackgroundCall = { call, tool, caller, since: seq }
  return { ...background, running: [...background.running, running] }
}

/**
 * Ends a call, however it ended. Returns the same object when the call was not in the background.
 * The host and a user read their results themselves; only results of the model's calls are kept for
 * the model.
 */
export function endInBackground(background: Background, ended: EndedBackgroundCall): Background {
  const known = background.running.find(({ call }) => call === ended.call)
  if (known === undefined) return background
  const running = background.running.filter((one) => one !== known)
  const isModels = known.caller === 'model' || known.caller === 'tool'
  return {
    ...background,
    running,
    untold: isModels ? withResult(background.untold, ended) : background.untold,
  }
}

/** Marks the waiting results as sent, at the start of a step. */
export function deliverBackgroundResults(background: Background): Background {
  return background.untold.calls.length === 0
    ? background
    : { ...background, untold: EMPTY_BACKGROUND.background.untold, told: background.untold }
}

function withResult(
  { calls, leftOut }: BackgroundResults,
  ended: EndedBackgroundCall,
): BackgroundResults {
  const all = [...calls, ended]
  const tooMany = all.slice(0, -MOST_RESULTS).map(({ call }) => call)
  return {
    calls: all.slice(-MOST_RESULTS),
    leftOut: tooMany.length === 0 ? leftOut : [...leftOut, ...tooMany].slice(-MOST_LEFT_OUT),
  }
}
