import { ToolError } from 'loadout'

/** Throws once the call was given up: out of time, its skill gone, or the workspace closed. */
export function stopWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new ToolError('ABORTED', 'The call was given up before it was done.', {
      partialSideEffects: false,
    })
  }
}
