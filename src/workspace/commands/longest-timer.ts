/** The longest delay a timer takes, in milliseconds; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647
