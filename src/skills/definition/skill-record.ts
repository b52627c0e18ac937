import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineSkill, storedSkill, type SkillDefinition } from './define-skill.ts'
import type { Skill, SkillFile } from './skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A skill as a log keeps it: all a model may read; its tools by hash, as they are kept themselves. */
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

/** Told from the definition of a tool, which logs keep among those of skills. */
export function isSkillRecord(definition: JsonValue | undefined): boolean {
  return typeof definition === 'object' && definition !== null && 'workDirection' in definition
}

function byHash(tool: Tool | string): JsonValue {
  return typeof tool === 'string' ? tool : { name: tool.name, hash: tool.hash }
}

/** A record as it is read back. */
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
 * The skill a record was made of, for looking at a session: without hooks, and with files that
 * are listed but cannot be read. Undefined when one of its tools is not known any more.
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
    readFile: (path) => Promise.reject(notKept(definition.name, path)),
  })
  return skill.hash === hash ? skill : undefined
}

function notKept(skill: string, path: string): WorkspaceError {
  return new WorkspaceError('FILE_NOT_KEPT', `A log keeps the digest of "${path}", not its text.`, {
    hint: 'Look at the skill in the folder it came from.',
    facts: { skill, path },
  })
}
