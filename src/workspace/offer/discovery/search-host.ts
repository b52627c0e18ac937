import type { DiscoveryCommand } from '../../../engine/model/discovery-command.ts'
import type { WorkspaceState } from '../../../engine/model/state.ts'
import type { Surroundings } from '../../../engine/model/surroundings.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { Discovery } from './discovery-options.ts'
import type { PageMeans } from './page-instruction.ts'

/** What searching takes of its session. */
export interface SearchHost {
  readonly surroundings: Surroundings
  readonly discovery: Discovery
  readonly counter: TokenCounter
  /** What the model has beside the search. */
  readonly means: PageMeans
  state(): WorkspaceState
  /** Milliseconds, never going back. */
  monotonic(): number
  /** Carry out a command that the call gave, or one made out of the state when its turn comes. */
  record(
    command: DiscoveryCommand | ((state: WorkspaceState) => DiscoveryCommand),
    call: ToolContext['call'],
  ): Promise<unknown>
}
