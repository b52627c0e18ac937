import { type Catalog, componentHash } from '../create/catalog.ts'
import { schemaText } from './manifest-text.ts'
import {
  type Manifest,
  MANIFEST_FORMAT,
  manifestDigest,
  type ManifestSkill,
  type ManifestTool,
  type ManifestToolset,
  type ProviderForm,
  type TokenCounts,
} from './manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { UNRECORDED_MEMBERS } from '../../skills/definition/skill-record.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  type Provider,
  providerSchema,
  SCHEMA_PROVIDERS,
} from '../../tools/provider-schema/provider-schema.ts'

export interface ManifestOptions extends ManifestNotes {
  /** The tokenizer that `tokensOf` counts by. */
  readonly tokenizer: string
}

/**
 * Write a catalog down as a manifest. Skills that lost their name to another one are not in it, nor
 * is code: handlers are bound again by hash, components given again by key.
 */
export function buildManifest(catalog: Catalog, options: ManifestOptions): Manifest {
  const parts = manifestParts(options)
  const content = {
    format: MANIFEST_FORMAT,
    version: catalog.hash,
    tokenizer: options.tokenizer,
    skills: Array.from(catalog.skills.values(), parts.skill),
    toolsets: Array.from(catalog.toolsets.values(), parts.toolset),
    tools: [...catalog.sharedTools.values()].flat().map(parts.tool),
    globalTools: catalog.globalTools.map(({ hash }) => hash),
    agents: Array.from(catalog.agents.values(), parts.withPath),
    rules: Array.from(catalog.rules.values(), parts.withPath),
    components: Array.from(catalog.components.values(), (component) => ({
      key: component.key,
      hash: componentHash(component),
    })).sort((a, b) => byName(a.key, b.key)),
  } as const
  return { ...content, digest: manifestDigest(content) }
}

/** What a manifest says of definitions beside what they say of themselves. */
interface ManifestNotes {
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
function manifestParts({ pathOf, handlerOf, tokensOf }: ManifestNotes) {
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
    const entries = SCHEMA_PROVIDERS.flatMap((provider): [Provider, ProviderForm][] => {
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
    const members = Object.entries(one).filter(([name]) => !UNRECORDED_MEMBERS.has(name))
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
