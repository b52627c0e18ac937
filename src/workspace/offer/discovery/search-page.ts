import type { ToolSource } from '../../../engine/model/source-event.ts'
import type { FindableTool } from '../../../engine/standing/findable-tools.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** One tool of a result page. */
export interface PageTool {
  /** What it is called by. */
  readonly name: string
  /** Its arguments on one line, `?` after the optional ones. */
  readonly signature: string
  readonly description?: string
  /** The full schema, where the page has room for it. */
  readonly inputSchema?: JsonSchema
  /** The skill that brings it; absent for others. */
  readonly skill?: string
  /** What it takes to call it; absent when it takes nothing. */
  readonly callable?: Exclude<Callable, 'now'>
}

/** One skill of a result page, for `loadSkill`. */
export interface PageSkill {
  readonly id: string
  readonly description?: string
  readonly loaded: boolean
}

/** What `tool_search` answers with. The keys are always the same, but for the optional ones. */
export interface SearchPage {
  /** Best first; empty when nothing fits. */
  readonly tools: readonly PageTool[]
  readonly skills: readonly PageSkill[]
  /** Markdown: how the tools are to be used; empty when the session was told before. */
  readonly rules: string
  readonly instruction: string
  /** From 0 to 1: how sure the search is of the best result. */
  readonly confidence: number
  /** Names whose description or signature was cut to fit the page; `*` alone where all were. */
  readonly shortened: readonly string[]
  /** Why the search was a lesser one than it should have been. */
  readonly degraded?: string
  /** Why searching on is no use now. */
  readonly stopped?: 'same-query' | 'empty-results' | 'flapping'
}

/** What it takes to call a found tool. */
export type Callable = FindableTool['callable']

/** A tool that a session's model may come to call. */
export interface FoundToolItem {
  readonly kind: 'tool'
  /** What it is called by in this session. */
  readonly name: string
  readonly tool: Tool
  readonly source: ToolSource
  readonly owner: string
  readonly callable: Callable
}

/** A skill that a session's model may load, or has loaded. */
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
