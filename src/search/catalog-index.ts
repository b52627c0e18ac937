import type { Catalog } from '../catalog/create/catalog.ts'
import type { ToolDocument } from './index/tool-document.ts'
import { createToolIndex, type SharedToolIndex } from './rank/tool-index.ts'
import type { Skill } from '../skills/definition/skill.ts'
import type { Tool } from '../tools/definition/tool.ts'

const indexes = new WeakMap<Catalog, SharedToolIndex>()

/** Returns the index of a catalog's tools and skills: built on first use, shared by sessions. */
export function catalogIndex(catalog: Catalog): SharedToolIndex {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  const index = createToolIndex(documentsOf(catalog))
  indexes.set(catalog, index)
  return index
}

/**
 * Returns the tools and skills of a catalog as documents.
 *
 * A tool has the name under which a session without active skills lists it: its own, or `owner/name`
 * if another definition has the name. A tool that several skills share is one document, owned by the
 * first of them.
 */
export function documentsOf(catalog: Catalog): readonly ToolDocument[] {
  const hashes = new Map<string, string>()
  const documents: ToolDocument[] = []
  const put = (tool: Tool, owner: string, ownerKind: string) => {
    const holder = hashes.get(tool.name)
    if (holder === tool.hash) return
    const address = `${owner}/${tool.name}`
    const isTaken = hashes.has(address)
    const name = holder === undefined ? tool.name : isTaken ? `${ownerKind}:${address}` : address
    hashes.set(name, tool.hash)
    documents.push(toolDocument(name, tool, ownerKind === 'global' ? undefined : owner))
  }
  for (const tool of catalog.globalTools) put(tool, 'global', 'global')
  for (const { key, tools } of catalog.components.values()) {
    for (const tool of tools) put(tool, key, 'component')
  }
  for (const [skill, tools] of catalog.skillTools) {
    for (const { tool } of tools) put(tool, skill, 'skill')
  }
  return [...documents, ...Array.from(catalog.skills.values(), skillDocument)]
}

/** Global tools have no owner here, because "global" would hide the owner in their name. */
function toolDocument(name: string, tool: Tool, owner: string | undefined): ToolDocument {
  const { description, phrases, topic, inputSchema } = tool
  return {
    name,
    description,
    phrases,
    ...(topic !== undefined && { topic }),
    ...(owner !== undefined && { owner }),
    inputSchema,
  }
}

function skillDocument(skill: Skill): ToolDocument {
  const { name, displayName, description, whenToUse, triggers, tags, capabilities, aliases } = skill
  return {
    name,
    kind: 'skill',
    description: whenToUse === '' ? description : `${description}\n${whenToUse}`,
    phrases: triggers,
    tags: [displayName, ...aliases, ...tags, ...capabilities],
  }
}
