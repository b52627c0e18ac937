import type { BackgroundEvent } from '../model/background-event.ts'
import {
  EMPTY_BACKGROUND,
  type BackgroundResults,
  type BackgroundState,
  type EndedBackgroundCall,
  type RunningBackgroundCall,
} from '../model/background-state.ts'

type Background = BackgroundState['background']

/** Results that wait to be told, and the ids of those beyond. */
const MOST_RESULTS = 10
const MOST_LEFT_OUT = 20

/** A call goes on in the background. */
export function detach(
  background: Background,
  { call, tool, caller }: BackgroundEvent,
  seq: number,
): Background {
  const running: RunningBackgroundCall = { call, tool, caller, since: seq }
  return { ...background, running: [...background.running, running] }
}

/**
 * A call has ended, in whatever way. The very object for a call that was not in the background. What
 * the host's or a user's call came to is theirs to read; a model is told of its own.
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

/** A step began, so what had not been told is told now. */
export function tellBackground(background: Background): Background {
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
