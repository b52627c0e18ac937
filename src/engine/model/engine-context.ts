import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { Refusal } from './command.ts'
import type { DiscoveryRules } from './discovery-event.ts'
import type { RuleFunction } from './policy.ts'
import type { RulePlaces } from './stored-rule.ts'
import type { LeftOut, OpenClaim, OpenSource } from './source-event.ts'
import type { RemovalPrice, StepCost } from './step-cost.ts'
import type { ExposedTool } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { SkillRecord } from '../../skills/definition/skill-record.ts'
import type { ServerHealth } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'

/**
 * The engine's input besides the state: fixed, or only extended, while a session is open. The catalog may be
 * replaced between two commands.
 */
export interface EngineContext {
  readonly catalog: Catalog
  readonly agent: Agent | null
  /**
   * The handlers that count: those of this process or, for a read-only view, those recorded in the
   * log.
   */
  readonly handlers: 'here' | 'recorded'
  /** Returns the tool of a component's or a global claim, with the handler its owner has in this process. */
  bound(claim: OpenClaim, owner: Pick<OpenSource, 'source' | 'owner'>): Tool | undefined
  /**
   * Returns a definition by hash: from the catalog, from registrations, or from the log. It may have
   * the handler of another owner.
   */
  tool(hash: ContentHash): Tool | undefined
  /** Returns a skill as a session activated it, when the catalog has another definition by now. */
  skill(hash: ContentHash): SkillRecord | undefined
  component(key: string): ToolComponent | undefined
  /**
   * Returns the tools of a server of the catalog for a skill that brings it; undefined when it has to be connected first.
   *
   * @param isEager the skill has its servers connected when it is activated, also with stored tools
   */
  listing?(server: string, isEager: boolean): ListedServer | undefined
  /** Returns the health of a server; undefined for one that this process does not connect to. */
  serverHealth?(server: string): ServerHealth | undefined
  /** Returns why a server of the catalog did not connect in this process, until it does. */
  connectFailure?(server: string): Pick<Refusal, 'message' | 'hint'> | undefined
  /** The functions of permission rules in this process, by the names in the log. */
  readonly functions?: ReadonlyMap<string, RuleFunction>
  /** The files that this process read permission rules from; absent for rules that are given in code. */
  readonly places?: RulePlaces
  /** For a child session: those of its parent (0), its parent's parent (1) and so on, where they are open here. */
  functionsAbove?(level: number): ReadonlyMap<string, RuleFunction> | undefined
  /** Hides secrets in everything that is stored and shown; absent when the host set none. */
  readonly redactor?: Redactor
  /** The provider whose rules for names hold; absent when the host named none: names are not changed then. */
  readonly namesFor?: Provider
  /** The settings for found tools; absent for a session that does not search. */
  readonly discovery?: DiscoveryRules
  /** The facts of this process about calls, besides the state. */
  readonly calls?: CallFacts
  /**
   * Returns what removing some tools from the last request would free and lose. Pure, by the
   * tokenizer, the strategy and the provider of the session; absent without a counter.
   */
  priceOf?(tools: readonly string[], sent: SentRequest): RemovalPrice
}

/** The facts of a process about calls, besides the state. */
interface CallFacts {
  /** Calls with the same arguments that the model may make in a turn. */
  readonly mostSame: number
  /** The same for calls of one tool in a row that find nothing. */
  readonly mostEmpty: number
  /** Actions of an answer that was thrown away are not made again in their turn. */
  readonly recordsActions?: boolean
  /** Approvals are kept beyond the session. */
  readonly hasStore: boolean
  /** The principal has a budget of calls over its sessions. */
  readonly hasBudget?: boolean
  /** Returns true for an activation whose hook has yet to run in this process. */
  resumes(skill: string, since: number): boolean
}

/** The tools of a server, with handlers that call it. */
export interface ListedServer {
  readonly tools: readonly Tool[]
  /** The stored tools of a server that is not trusted and has other ones now. They are registered before those. */
  readonly agreed?: readonly Tool[]
  readonly trusted: boolean
  /** Its tools that are left out, or parts of them; absent when none is. */
  readonly leftOut?: readonly LeftOut[]
  /** The server's own text for a model. */
  readonly instructions?: string
}

/** The facts about the last request in a state. */
export interface SentRequest {
  /** Null before the first step. */
  readonly exposed: readonly ExposedTool[] | null
  readonly cost: StepCost | null
}
