import { createContext } from 'react'

/** False below a pane without the keyboard focus: its chosen row is no bar. */
export const PaneFocusContext = createContext(true)
