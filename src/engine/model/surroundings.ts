import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/tool-component.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import type { SkillRecord } from '../../skills/definition/skill-record.ts'
import type { DiscoveryRules } from './discovery-rules.ts'
import type { RemovalPrice } from './removal-price.ts'
import type { SentRequest } from './sent-request.ts'

/** What the engine reads beside the state: fixed, or only ever added to, while a session is open. */
export interface Surroundings {
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
