import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { DiscoveryRules } from './discovery-event.ts'
import type { RemovalPrice, StepCost } from './step-cost.ts'
import type { ExposedTool } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { SkillRecord } from '../../skills/definition/skill-record.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** What the engine reads beside the state: fixed, or only ever added to, while a session is open. */
export interface EngineContext {
  readonly catalog: Catalog
  readonly agent: Agent | null
  /**
   * Which handlers count: those of this process, or, for who only looks at a session, those
   * the log says there were.
   */
  readonly handlers: 'here' | 'recorded'
  /** A definition by hash: from the catalog, from registrations, or from the log. */
  tool(hash: ContentHash): Tool | undefined
  /** A skill as a session activated it, where the catalog has it otherwise by now. */
  skill(hash: ContentHash): SkillRecord | undefined
  component(key: string): ToolComponent | undefined
  /** Hides secrets from all that is stored and shown; absent where nobody asked for that. */
  readonly redactor?: Redactor
  /** How found tools are kept and called; absent for a session that does not search. */
  readonly discovery?: DiscoveryRules
  /**
   * What taking some tools out of what the last step sent would free and lose. Pure, by the
   * tokenizer, the strategy and the provider of the session; absent where nobody counts.
   */
  priceOf?(tools: readonly string[], sent: SentRequest): RemovalPrice
}

/** What a state knows of the last request. */
export interface SentRequest {
  /** Null before the first step. */
  readonly exposed: readonly ExposedTool[] | null
  readonly cost: StepCost | null
}
