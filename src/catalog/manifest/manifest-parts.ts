import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { PROVIDERS, type Provider } from '../../tools/provider-schema/provider.ts'
import { providerSchema } from '../../tools/provider-schema/provider-schema.ts'
import { schemaText } from './schema-text.ts'
import { toolDefinition } from '../../tools/definition/tool-definition.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { UNRECORDED } from '../../skills/definition/unrecorded-members.ts'
import type {
  ManifestSkill,
  ManifestTool,
  ManifestToolset,
  ProviderForm,
  TokenCounts,
} from './manifest.ts'

/** What a manifest says of definitions beside what they say of themselves. */
export interface ManifestNotes {
  /** A path as the manifest tells it: relative to the folder that is built. */
  pathOf(path: string): string
  /** The handler's file of a tool read from disk. */
  handlerOf(tool: ContentHash): string | undefined
  tokensOf(definition: Skill | Tool): TokenCounts
}

/**
 * Makes the records of definitions: one for all tools of one hash, so that it is told in one way, and
 * each schema is converted once, however many tools have it.
 */
export function manifestParts({ pathOf, handlerOf, tokensOf }: ManifestNotes) {
  const forms = new Map<string, ManifestTool['providers']>()
  const records = new Map<ContentHash, ManifestTool>()

  function tool(one: Tool): ManifestTool {
    const known = records.get(one.hash)
    if (known !== undefined) return known
    const handler = handlerOf(one.hash)
    const record: ManifestTool = {
      ...toolDefinition(one),
      hash: one.hash,
      providers: formsOf(one.inputSchema),
      tokens: tokensOf(one),
      ...(handler !== undefined && { handler: pathOf(handler) }),
    }
    records.set(one.hash, record)
    return record
  }

  function formsOf(schema: JsonSchema): ManifestTool['providers'] {
    const written = schemaText(schema)
    const known = forms.get(written)
    if (known !== undefined) return known
    // As it is read back, so that lists made of its keys are those that are made of the manifest.
    const read = JSON.parse(written) as JsonSchema
    const entries = PROVIDERS.flatMap((provider): [Provider, ProviderForm][] => {
      const converted = providerSchema(read, provider)
      const isSame = converted.schema === read
      if (isSame && converted.losses.length === 0) return []
      return [
        [provider, { ...(!isSame && { schema: converted.schema }), losses: converted.losses }],
      ]
    })
    const made = Object.fromEntries(entries)
    forms.set(written, made)
    return made
  }

  function toolset(one: Toolset): ManifestToolset {
    return { ...withPath(one), tools: one.tools.map(valueOrName) }
  }

  function skill(one: Skill): ManifestSkill {
    const members = Object.entries(one).filter(([name]) => !UNRECORDED.has(name))
    return {
      ...(Object.fromEntries(members) as unknown as ManifestSkill),
      tools: one.tools.map(valueOrName),
      toolsets: one.toolsets.map((each) => (typeof each === 'string' ? each : toolset(each))),
      tokens: tokensOf(one),
      ...(one.path !== undefined && { path: pathOf(one.path) }),
    }
  }

  function valueOrName(one: Tool | string): ManifestTool | string {
    return typeof one === 'string' ? one : tool(one)
  }

  function withPath<T extends { readonly path?: string }>(one: T): T {
    return one.path === undefined ? one : { ...one, path: pathOf(one.path) }
  }

  return { tool, toolset, skill, withPath }
}
