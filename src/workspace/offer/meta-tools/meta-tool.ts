import type { JsonSchema } from '../../../kernel/json-value.ts'
import { findHidden, sanitiseText } from '../../../kernel/sanitise-text.ts'
import { substituteVariables, type VariableScope } from '../../../kernel/substitute-variables.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { RiskLevel, Tool, ToolCategory } from '../../../tools/definition/tool.ts'
import type { DeskParts } from '../../calls/desk-parts.ts'
import type { LoadingCheck } from '../../commands/loading-question.ts'
import type { SearchParts } from '../discovery/discovery-options.ts'
import type { MetaToolName } from './meta-tool-name.ts'
import type { ScriptRunner } from './script-runner.ts'
import type { SkillRunner } from './skill-run.ts'

interface MetaToolSpec<Input> {
  readonly name: MetaToolName
  readonly description: string
  /** Arguments by name, as advertised. They may depend on `loadable` and `variant` only. */
  readonly arguments: Readonly<Record<string, JsonSchema>>
  /** Names of arguments that may be left out. */
  readonly optional?: readonly string[]
  /** Schemas of accepted arguments; a text that is not empty when absent. */
  readonly accepted?: Readonly<Record<string, JsonSchema>>
  readonly outputSchema?: JsonSchema
  /** `utility` when absent. */
  readonly category?: ToolCategory
  readonly risk?: RiskLevel
  readonly requiresConfirmation?: boolean
  /** The time limit of a call, in milliseconds; the limit of all calls when absent. */
  readonly timeoutMs?: number
  /** Distinguishes definitions that differ in more than `loadable`. */
  readonly variant?: string
  execute(input: Input, context: ToolContext): unknown
  /** The condition of calls that ask a person, and what the person is shown. Not a part of the definition. */
  readonly question?: Pick<Tool, 'confirms' | 'preview'>
}

/** Definitions by the skills they name: the sessions of an agent share them, each with its own handlers. */
const definitions = new WeakMap<MetaToolParts['loadable'], Map<string, Tool>>()

/**
 * Defines a meta-tool. It accepts more than it advertises: any text where it advertises an enum, so that a
 * display name or a near miss gets an answer instead of a schema error.
 */
export function metaTool<Input = Readonly<Record<string, string>>>(
  { loadable }: Pick<MetaToolParts, 'loadable'>,
  { execute, timeoutMs, variant = '', question, ...spec }: MetaToolSpec<Input>,
): Tool {
  const known = definitions.get(loadable) ?? new Map<string, Tool>()
  definitions.set(loadable, known)
  const key = `${spec.name} ${variant}`
  const definition = known.get(key) ?? define(spec)
  known.set(key, definition)
  return Object.freeze({
    ...definition,
    execute: execute as NonNullable<Tool['execute']>,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...question,
  })
}

function define({
  name,
  description,
  arguments: advertised,
  optional = [],
  accepted = {},
  outputSchema,
  ...traits
}: Omit<MetaToolSpec<never>, 'execute' | 'timeoutMs' | 'variant' | 'question'>): Tool {
  const schema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
    additionalProperties: false,
  })
  const text = { type: 'string', minLength: 1 }
  const wide = Object.fromEntries(
    Object.keys(advertised).map((key) => [key, accepted[key] ?? text]),
  )
  const shared = {
    name,
    description,
    category: 'utility',
    topic: 'skills',
    ...traits,
    ...(outputSchema !== undefined && { outputSchema }),
  } as const
  const tool = defineTool({ ...shared, inputSchema: schema(advertised) })
  const { parseInput } = defineTool({ ...shared, inputSchema: schema(wide) })
  return { ...tool, parseInput }
}

/** The parts of a session that its meta-tools work with. */
export interface MetaToolParts extends SearchParts {
  /** Skills the agent may load, by id; one list, never changed, for all sessions of the agent. */
  readonly loadable: readonly string[]
  /** Runs scripts; undefined when the host runs none. */
  readonly scripts: ScriptRunner | undefined
  /** Carries out skills with `context: fork`; undefined where they are loaded like others, as in a child session. */
  readonly runSkill: SkillRunner | undefined
  /** The desk of calls, for the tool that reads on in results. */
  readonly desk: DeskParts
  /** Aborted when the workspace closes. */
  readonly closing: AbortSignal
  /** Describes skills that a person is asked about; undefined when the host asks about none. */
  readonly loading: LoadingCheck | undefined
  /** Variables of the prompt. */
  readonly variables: VariableScope | undefined
}

/** Returns a text with the session's variables inserted. */
export function withVariables(text: string, { variables }: MetaToolParts): string {
  return substituteVariables(text, variables ? [variables] : []).text
}

/**
 * Returns the answer of a meta-tool with hidden characters made visible in every text and name: the model
 * reads no more than a person who sees the same answer. A text without hidden characters stays unchanged,
 * with its line breaks.
 */
export function sanitisedData<T>(data: T): T {
  return sanitisedValue(data) as T
}

function sanitisedValue(data: unknown): unknown {
  if (typeof data === 'string') return sanitisedIfHidden(data)
  if (Array.isArray(data)) return data.map(sanitisedValue)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, member]) => [sanitisedIfHidden(name), sanitisedValue(member)]),
  )
}

function sanitisedIfHidden(text: string): string {
  return findHidden(text).length === 0 ? text : sanitiseText(text)
}
