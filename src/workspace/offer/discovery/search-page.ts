import type { ToolSource } from '../../../engine/model/source-event.ts'
import type { FindableTool } from '../../../engine/standing/findable-tools.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** One tool of a result page. */
export interface PageTool {
  /** The name to call it by. */
  readonly name: string
  /** Its arguments on one line, with `?` after the optional ones. */
  readonly signature: string
  readonly description?: string
  /** The full schema, if the page has room for it. */
  readonly inputSchema?: JsonSchema
  /** The skill that owns it; absent for other owners. */
  readonly skill?: string
  /** The condition for calling it; absent when there is none. */
  readonly callable?: Exclude<Callable, 'now'>
}

/** One skill of a result page, for `loadSkill`. */
export interface PageSkill {
  readonly id: string
  readonly description?: string
  readonly loaded: boolean
}

/** The answer of `tool_search`. All keys but the optional ones are always present. */
export interface SearchPage {
  /** Best first; empty when nothing fits. */
  readonly tools: readonly PageTool[]
  readonly skills: readonly PageSkill[]
  /** Rules for using the tools, as Markdown; empty when the session was sent them before. */
  readonly rules: string
  readonly instruction: string
  /** Confidence in the best result, from 0 to 1. */
  readonly confidence: number
  /** Names whose description or signature was cut to fit the page; only `*` when all were. */
  readonly shortened: readonly string[]
  /** The reason why the search was worse than usual. */
  readonly degraded?: string
  /** The reason to stop searching. */
  readonly stopped?: 'same-query' | 'empty-results' | 'flapping'
}

/** The condition for calling a found tool. */
export type Callable = FindableTool['callable']

/** A tool that a session's model may be able to call. */
export interface FoundToolItem {
  readonly kind: 'tool'
  /** Its name in this session. */
  readonly name: string
  /** The name that the model reads and calls. */
  readonly sentAs: string
  readonly tool: Tool
  readonly source: ToolSource
  readonly owner: string
  readonly callable: Callable
}

/** A skill that a session's model may activate, or has activated. */
export interface FoundSkillItem {
  readonly kind: 'skill'
  readonly name: string
  readonly skill: Skill
  readonly loaded: boolean
}

export type FoundItem = FoundToolItem | FoundSkillItem

const textSchema: JsonSchema = { type: 'string' }

const callableSchema: JsonSchema = { enum: ['on-call', 'load-first', 'next-turn'] }

const toolSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: textSchema,
    signature: textSchema,
    description: textSchema,
    inputSchema: { type: 'object' },
    skill: textSchema,
    callable: callableSchema,
  },
  required: ['name', 'signature'],
  additionalProperties: false,
}

const skillSchema: JsonSchema = {
  type: 'object',
  properties: { id: textSchema, description: textSchema, loaded: { type: 'boolean' } },
  required: ['id', 'loaded'],
  additionalProperties: false,
}

/** `SearchPage` as a JSON Schema. */
export const pageSchema: JsonSchema = {
  type: 'object',
  properties: {
    tools: { type: 'array', items: toolSchema },
    skills: { type: 'array', items: skillSchema },
    rules: textSchema,
    instruction: textSchema,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    shortened: { type: 'array', items: textSchema },
    degraded: textSchema,
    stopped: { enum: ['same-query', 'empty-results', 'flapping'] },
  },
  required: ['tools', 'skills', 'rules', 'instruction', 'confidence', 'shortened'],
  additionalProperties: false,
}
