import { z } from 'zod'
import { contentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import type { Agent } from './agent.ts'
import { checkDefinition } from './check-definition.ts'
import { definitionName } from './definition-name.ts'
import { displayNameOf } from './display-name.ts'
import { readReference } from '../../tools/definition/read-reference.ts'

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
  return !(readReference(text) instanceof WorkspaceError)
}
