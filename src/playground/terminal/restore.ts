import { modesOff } from './terminal-modes.ts'

/** What has to be given back. */
export interface BorrowedTerminal {
  /** Writes at once, in an exit handler too. */
  writeSync(text: string): void
  setRawMode(isRaw: boolean): void
  readonly alternateScreen: boolean
}

/**
 * The one clean-up, for every ending: raw mode off and every mode of the screen off.
 *
 * Works once, so that what is printed afterwards stays where it is (leaving an alternate screen
 * moves the cursor). Never throws: of a terminal that is gone there is nothing to give back.
 */
export function createRestore(terminal: BorrowedTerminal): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    attempt(() => terminal.writeSync(modesOff(terminal.alternateScreen)))
    attempt(() => terminal.setRawMode(false))
  }
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // The window was closed.
  }
}
