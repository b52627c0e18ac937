import * as z from 'zod'
import { type ContentHash, contentHash } from '../../kernel/content-hash.ts'
import type { FieldRules } from '../../kernel/check-fields.ts'
import { deepFreeze } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkDefinition } from './check-definition.ts'
import { definitionName, displayNameOf } from './definition-name.ts'
import { tryParseToolReference } from '../../tools/definition/parse-tool-reference.ts'

/**
 * The effect of finding a tool whose skill is not active: the first call activates the skill, with the
 * usual checks, or the model reads which skill to activate.
 */
export type OnFound = 'activate-on-call' | 'suggest'

/** The profile of a session: its base prompt, and the skills and tools it may use. */
export interface Agent {
  readonly name: string
  readonly displayName: string
  readonly description: string
  /** The base prompt, in Markdown; `{{ NAME }}` is a variable. */
  readonly prompt: string
  /** Skills that are active from the start, in this order. */
  readonly initialSkills: readonly string[]
  /** Further skills that it may activate, by name or pattern (`lark-*`); `'*'` for every skill of the catalog. */
  readonly skills: readonly string[] | '*'
  /** Patterns (`*` matches any text) of the tools that the model sees; all tools if absent. */
  readonly tools?: readonly string[]
  /** Patterns of tools that it does not see and cannot call, also of those in `tools`; absent for none. */
  readonly disallowedTools?: readonly string[]
  /** Versions of shared tools that it picks, such as `search@^1`. */
  readonly versions: readonly string[]
  /** The mode sessions start in, such as `text` or `voice`; absent for one without limits. */
  readonly mode?: string
  /** True if only one skill, with its requirements, may be active at a time. */
  readonly exclusive: boolean
  /** Set for an agent that starts with `tool_search` and finds its tools; absent if it sees all tools. */
  readonly discovery?: OnFound
  /** Patterns of tools that an agent with `discovery` sees from the start. */
  readonly pinned?: readonly string[]
  readonly hash: ContentHash
  readonly path?: string
}

/** The definition of an agent. Only `name` is required; all other fields have defaults. */
export interface AgentDefinition
  extends Pick<Agent, 'name'>, Partial<Omit<Agent, 'name' | 'hash'>> {}

const text = z.string('must be text')

const texts = z.array(text, 'must be a list of texts')

const agentSchema = z.object({
  name: definitionName,
  displayName: text.optional(),
  description: text.optional(),
  prompt: text.optional(),
  initialSkills: texts.optional(),
  skills: z.union([z.literal('*'), texts], 'must be a list of skills, or "*"').optional(),
  tools: texts.optional(),
  disallowedTools: texts.optional(),
  versions: z
    .array(
      z
        .string()
        .refine((one) => !WorkspaceError.is(tryParseToolReference(one)), 'must be like search@^1'),
    )
    .optional(),
  mode: text.min(1, 'must not be empty').optional(),
  exclusive: z.boolean('must be true or false').optional(),
  discovery: z
    .enum(['activate-on-call', 'suggest'], 'must be "activate-on-call" or "suggest"')
    .optional(),
  pinned: texts.optional(),
  path: text.optional(),
})

const AGENT: FieldRules = {
  kind: 'an agent',
  subject: 'Agent',
  code: 'AGENT_INVALID',
  name: { field: 'name', fact: 'name' },
  fields: Object.keys(agentSchema.shape),
  synonyms: { instructions: 'prompt', system: 'prompt', systemPrompt: 'prompt', body: 'prompt' },
  hint: 'Correct the field and define the agent again.',
}

/**
 * Defines an agent. By default, it may activate every skill, sees every tool, and starts without skills
 * and without the limits of a mode.
 *
 * The agent is frozen, and hashed without its path. Throws `AGENT_INVALID` with `facts.field`.
 */
export function defineAgent(definition: AgentDefinition): Agent {
  checkDefinition(agentSchema, definition, AGENT)
  const { name, tools, disallowedTools = [], mode, path, discovery, pinned } = definition
  const skills = definition.skills ?? '*'
  const read: Omit<Agent, 'hash' | 'path'> = {
    name,
    displayName: definition.displayName ?? displayNameOf(name),
    description: definition.description ?? '',
    prompt: definition.prompt ?? '',
    initialSkills: [...(definition.initialSkills ?? [])],
    skills: skills === '*' ? '*' : [...skills],
    ...(tools !== undefined && { tools: [...tools] }),
    ...(disallowedTools.length > 0 && { disallowedTools: [...disallowedTools] }),
    versions: [...(definition.versions ?? [])],
    ...(mode !== undefined && { mode }),
    exclusive: definition.exclusive ?? false,
    ...(discovery !== undefined && { discovery }),
    ...(pinned !== undefined && { pinned: [...pinned] }),
  }
  return deepFreeze<Agent>({
    ...read,
    ...(path !== undefined && { path }),
    // Without a mode the hash is that of `text`, so that catalogs of earlier versions keep their hashes.
    hash: contentHash({ ...read, mode: mode ?? 'text' }),
  })
}

/** Returns the definition of an agent as logs store it: without its hash and its path. */
export function agentDefinition(agent: Agent): AgentDefinition {
  const { hash: _, path: __, ...definition } = agent
  return definition
}
