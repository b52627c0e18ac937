import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { MemoryLog } from '../../../workspace/log/memory-log.ts'
import type { CarnetToolName } from './carnet-tool-name.ts'

/** How an instance is made; the first two are Carnet's own. */
export interface CarnetOptions {
  /** Put into every text where `{{ NAME }}` stands. */
  variables?: Record<string, string>
  /** Environment variables with these prefixes are put in, too; `CARNET_` and `PUBLIC_` when absent. */
  envPrefixes?: string[]
  /** The meta-tools `getTools` offers: `loadSkill` and `loadSkillFile` when absent. */
  metaTools?: readonly CarnetToolName[]
  /** Where sessions are kept; a log of its own when absent. Whoever holds it can read the entries. */
  log?: MemoryLog
  /** Counts the tokens that `workspace()` tells of; when absent, four characters are one. */
  tokenCounter?: TokenCounter
}
