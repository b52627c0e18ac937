import type { ToolContext } from 'loadout'

/** What the host may say: the folder data files are read from; the current one by default. */
export interface DataServices {
  readonly root?: string
}

export type DataContext = ToolContext<DataServices | undefined>
