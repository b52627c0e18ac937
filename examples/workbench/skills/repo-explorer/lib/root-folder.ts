import { realpath } from 'node:fs/promises'
import type { ToolContext } from 'loadout'

/** What the host may say: the folder to explore. */
export interface ExplorerServices {
  readonly root?: string
}

export type ExplorerContext = ToolContext<ExplorerServices | undefined>

/** The real path of the folder to explore: the host's `services.root`, else the current one. */
export function rootFolder(context: ExplorerContext): Promise<string> {
  return realpath(context.services?.root ?? process.cwd())
}
