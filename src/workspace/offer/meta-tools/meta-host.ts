import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { SearchHost } from '../discovery/search-host.ts'
import type { Outcome } from '../../commands/outcome.ts'
import type { ScriptRunner } from '../../log/ports.ts'

/** What the meta-tools need of their workspace. */
export interface MetaHost extends SearchHost {
  readonly catalog: Catalog
  /** Skills the agent may load, by id; one list, never changed, for all sessions of the agent. */
  readonly loadable: readonly string[]
  activate(skill: string, call: ToolContext['call']): Promise<Outcome>
  deactivate(skill: string, call: ToolContext['call']): Promise<Outcome>
  /** What runs scripts; absent for a host that runs none. */
  readonly scripts?: ScriptRunner
  /** A text with the session's variables put in. */
  substitute(text: string): string
}
