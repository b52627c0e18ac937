/** Clicks and the wheel, told in the SGR form, which has no limit of columns. */
export const MOUSE_ON = '\x1b[?1000h\x1b[?1006h'
export const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l'

/** What a half-drawn frame may have left: synchronised output, paste marks, a colour, no cursor. */
const DRAWING_OFF = '\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?25h'
const ALTERNATE_SCREEN_OFF = '\x1b[?1049l'

/** Everything that puts a terminal back to how a shell expects it. */
export function modesOff(alternateScreen: boolean): string {
  return MOUSE_OFF + DRAWING_OFF + (alternateScreen ? ALTERNATE_SCREEN_OFF : '')
}
