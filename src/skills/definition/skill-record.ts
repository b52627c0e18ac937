import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineSkill, storedSkill, type SkillDefinition } from './define-skill.ts'
import type { Skill, SkillFile } from './skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Writes a skill as a log stores it: everything that a model may read, with tools by hash. */
export function skillRecord(skill: Skill): JsonValue {
  const record = {
    ...storedSkill(skill),
    tools: skill.tools.map(byHash),
    toolsets: skill.toolsets.map((toolset) =>
      typeof toolset === 'string' ? toolset : { ...toolset, tools: toolset.tools.map(byHash) },
    ),
  }
  return JSON.parse(canonicalJson(record)) as JsonValue
}

/** Returns true for a stored skill, and false for a stored tool. Logs store both in one list. */
export function isSkillRecord(definition: JsonValue | undefined): boolean {
  return isObject(definition) && 'workDirection' in definition
}

function byHash(tool: Tool | string): JsonValue {
  return typeof tool === 'string' ? tool : { name: tool.name, hash: tool.hash }
}

/** A stored skill. */
export type SkillRecord = Omit<SkillDefinition, 'instructions' | 'tools' | 'toolsets' | 'files'> & {
  readonly hash: ContentHash
  readonly workDirection: string
  readonly files: readonly SkillFile[]
  readonly tools: readonly RecordedTool[]
  readonly toolsets: readonly (
    string | (Omit<Toolset, 'tools'> & { readonly tools: readonly RecordedTool[] })
  )[]
}

type RecordedTool = string | { readonly name: string; readonly hash: ContentHash }

/**
 * Restores the skill of a record, for reading a session: without hooks, and with files that are listed but
 * cannot be read. Returns undefined if one of its tools is no longer known.
 */
export function skillFromRecord(
  record: JsonValue,
  toolOf: (hash: ContentHash) => Tool | undefined,
): Skill | undefined {
  const { hash, tools, toolsets, ...definition } = record as unknown as SkillRecord
  const known = (recorded: readonly RecordedTool[]) =>
    recorded.flatMap((one) => (typeof one === 'string' ? one : (toolOf(one.hash) ?? [])))
  const skill = defineSkill({
    ...definition,
    tools: known(tools),
    toolsets: toolsets.map((one) =>
      typeof one === 'string' ? one : { ...one, tools: known(one.tools) },
    ),
    readFile: (path) => {
      const message = `A log stores the digest of "${path}", not its text.`
      const hint = 'Read the file in the folder of the skill.'
      const facts = { skill: definition.name, path }
      return Promise.reject(new WorkspaceError('FILE_NOT_KEPT', message, { hint, facts }))
    },
  })
  return skill.hash === hash ? skill : undefined
}
