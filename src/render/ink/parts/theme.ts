/** How components draw: nothing in it changes what they say. */
export interface Theme {
  /** Borders and marks of ASCII only. */
  readonly ascii: boolean
  readonly colour: boolean
}

export const DEFAULT_THEME: Theme = { ascii: false, colour: true }
