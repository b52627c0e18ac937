import type { ContentHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import { storedTool } from '../../tools/definition/stored-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Skill, SkillFileReader } from '../../skills/definition/skill.ts'
import type { ManifestSkill, ManifestTool, ManifestToolset } from './manifest.ts'

/** What definitions from a manifest are given beside what stands in it. */
export interface StoredParts {
  /** The code behind a tool, if any. */
  readonly handlerOf?: (tool: ManifestTool) => Tool['run'] | undefined
  /** Reads the listed files of a skill; without it they are listed only. */
  readonly readerOf?: (skill: ManifestSkill) => SkillFileReader | undefined
  /** The folder of a skill as a model is told it. */
  readonly folderOf?: (skill: ManifestSkill) => string | undefined
  /** Told of each tool as it is made. */
  readonly onTool?: (tool: Tool) => void
}

/** Makes definitions of their records; tools of one hash are one tool. Hashes are taken on trust. */
export function storedDefinitions(parts: StoredParts) {
  const { handlerOf, readerOf, folderOf, onTool } = parts
  const made = new Map<ContentHash, Tool>()

  function tool(record: ManifestTool): Tool {
    const known = made.get(record.hash)
    if (known !== undefined) return known
    const { providers: _, tokens: __, handler: ___, ...definition } = record
    const one = storedTool(definition, handlerOf?.(record))
    made.set(record.hash, one)
    onTool?.(one)
    return one
  }

  function toolset(record: ManifestToolset): Toolset {
    return Object.freeze({ ...record, tools: Object.freeze(record.tools.map(valueOrName)) })
  }

  /** Its tools are made when they are asked for: most skills of a large catalog never are. */
  function skill(record: ManifestSkill): Skill {
    const { tools: _, toolsets: __, tokens: ___, ...rest } = record
    const baseDirectory = folderOf?.(record)
    const readFile = record.files.length === 0 ? undefined : readerOf?.(record)
    let tools: Skill['tools'] | undefined
    let toolsets: Skill['toolsets'] | undefined
    for (const member of Object.values(rest)) deepFreeze(member)
    return Object.freeze<Skill>({
      ...rest,
      metadata: Object.freeze(Object.assign(Object.create(null), rest.metadata)),
      get tools() {
        tools ??= Object.freeze(record.tools.map(valueOrName))
        return tools
      },
      get toolsets() {
        toolsets ??= Object.freeze(
          record.toolsets.map((one) => (typeof one === 'string' ? one : toolset(one))),
        )
        return toolsets
      },
      diagnostics: [],
      ...(baseDirectory !== undefined && { baseDirectory }),
      ...(readFile !== undefined && { readFile }),
    })
  }

  function valueOrName(one: ManifestTool | string): Tool | string {
    return typeof one === 'string' ? one : tool(one)
  }

  return { tool, toolset, skill }
}
