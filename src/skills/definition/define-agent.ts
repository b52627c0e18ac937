import { z } from 'zod'
import { type ContentHash, contentHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkDefinition } from './check-definition.ts'
import { definitionName, displayNameOf } from './definition-name.ts'
import { tryParseToolReference } from '../../tools/definition/parse-tool-reference.ts'

/**
 * What happens to a found tool of a skill that is not active: its first call activates the skill
 * through the usual gate, or the model is told which skill to load.
 */
export type OnFound = 'activate-on-call' | 'suggest'

/** A profile a session runs under: what it reads first and what it may use. */
export interface Agent {
  readonly name: string
  readonly displayName: string
  readonly description: string
  /** Base prompt in Markdown; `{{ NAME }}` are variables. */
  readonly prompt: string
  /** Skills active from the start, in this order. */
  readonly initialSkills: readonly string[]
  /** Skills it may load beside the initial ones; `'*'` for every skill of the catalog. */
  readonly skills: readonly string[] | '*'
  /** Patterns (`*` matches anything) of tools put before its model; absent means all. */
  readonly tools?: readonly string[]
  /** Versions it picks of shared tools, such as `search@^1`. */
  readonly versions: readonly string[]
  /** The mode sessions start in, such as `text` or `voice`. */
  readonly mode: string
  /** At most one skill, with its requirements, is active at a time. */
  readonly exclusive: boolean
  /** It starts with `tool_search` and finds its tools; absent for one that is shown all of them. */
  readonly discovery?: OnFound
  /** Patterns of tools that one that searches is shown from the start. */
  readonly pinned?: readonly string[]
  readonly hash: ContentHash
  readonly path?: string
}

/** What `defineAgent` takes: a name; all else has a default. */
export interface AgentDefinition
  extends Pick<Agent, 'name'>, Partial<Omit<Agent, 'name' | 'hash'>> {}

const text = z.string('must be text')

const texts = z.array(text, 'must be a list of texts')

const agentDefinitionSchema = z.strictObject(
  {
    name: definitionName,
    displayName: text.optional(),
    description: text.optional(),
    prompt: text.optional(),
    initialSkills: texts.optional(),
    skills: z.union([z.literal('*'), texts], 'must be a list of skills, or "*"').optional(),
    tools: texts.optional(),
    versions: z.array(z.string().refine(isToolReference, 'must be like search@^1')).optional(),
    mode: text.min(1, 'must not be empty').optional(),
    exclusive: z.boolean('must be true or false').optional(),
    discovery: z
      .enum(['activate-on-call', 'suggest'], 'must be "activate-on-call" or "suggest"')
      .optional(),
    pinned: texts.optional(),
    path: text.optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)

/**
 * Make an agent of a definition, with defaults for all but its name: it may load every skill,
 * sees every tool, starts with no skill, in the mode `text`.
 *
 * Frozen, and hashed over all but the file it came from. Throws `AGENT_INVALID` with `facts.field`.
 */
export function defineAgent(definition: AgentDefinition): Agent {
  checkDefinition('agent', agentDefinitionSchema, definition)
  const { name, tools, path, discovery, pinned } = definition
  const skills = definition.skills ?? '*'
  const read: Omit<Agent, 'hash' | 'path'> = {
    name,
    displayName: definition.displayName ?? displayNameOf(name),
    description: definition.description ?? '',
    prompt: definition.prompt ?? '',
    initialSkills: [...(definition.initialSkills ?? [])],
    skills: skills === '*' ? '*' : [...skills],
    ...(tools !== undefined && { tools: [...tools] }),
    versions: [...(definition.versions ?? [])],
    mode: definition.mode ?? 'text',
    exclusive: definition.exclusive ?? false,
    ...(discovery !== undefined && { discovery }),
    ...(pinned !== undefined && { pinned: [...pinned] }),
  }
  return deepFreeze<Agent>({
    ...read,
    ...(path !== undefined && { path }),
    hash: contentHash(read),
  })
}

function isToolReference(text: string): boolean {
  return !(tryParseToolReference(text) instanceof WorkspaceError)
}
