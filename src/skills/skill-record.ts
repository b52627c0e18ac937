import type { JsonValue } from '../kernel/json.ts'
import { canonicalJson } from '../kernel/canonical-json.ts'
import type { Tool } from '../registry/tool.ts'
import type { Skill } from './skill.ts'

/** Members that are code, or say where it was read and what was found: not part of a record. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'path',
  'baseDirectory',
  'diagnostics',
  'readFile',
  'onActivate',
  'onDeactivate',
])

/** A skill as a log keeps it: all a model may read; its tools by hash, as they are kept themselves. */
export function skillRecord(skill: Skill): JsonValue {
  const members = Object.entries(skill).filter(([key]) => !LEFT_OUT.has(key))
  const record = {
    ...Object.fromEntries(members),
    tools: skill.tools.map(byHash),
    toolsets: skill.toolsets.map((toolset) =>
      typeof toolset === 'string' ? toolset : { ...toolset, tools: toolset.tools.map(byHash) },
    ),
  }
  return JSON.parse(canonicalJson(record)) as JsonValue
}

function byHash(tool: Tool | string): JsonValue {
  return typeof tool === 'string' ? tool : { name: tool.name, hash: tool.hash }
}
