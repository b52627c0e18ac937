import type { Command } from '../../engine/model/command.ts'
import { modeLimitsOf, type ModeTable } from '../../engine/model/mode-limits-of.ts'
import { MODES } from '../../engine/model/modes.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'

/** The warning that a session enters a mode nobody defined, which has no limits; none for others. */
export function undefinedMode(mode: string, modes: ModeTable = {}): readonly Command[] {
  if (modeLimitsOf(mode, modes) !== null) return []
  const known = [...new Set([...Object.keys(MODES), ...Object.keys(modes)])]
  const [nearest] = nearestNames(mode, known)
  const warning: Command = {
    type: 'warning.give',
    code: 'mode-undefined',
    subject: mode,
    message: `The mode "${mode}" is not defined, so it has no limits.`,
    hint: `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}Define it in the modes the workspace is opened with; there are ${known.join(', ')}.`,
  }
  return [warning]
}
