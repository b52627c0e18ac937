import { type Catalog, componentHash } from '../create/catalog.ts'
import { schemaText } from './manifest-text.ts'
import {
  type Manifest,
  MANIFEST_FORMAT,
  manifestDigest,
  type ManifestServer,
  type ManifestSkill,
  type ManifestTool,
  type ManifestToolset,
  type ProviderForm,
  type TokenCounts,
} from './manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { storedSkill } from '../../skills/definition/define-skill.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { toolDefinition } from '../../tools/definition/make-tool.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  type Provider,
  providerSchema,
  SCHEMA_PROVIDERS,
} from '../../schema/provider-forms/provider-schema.ts'

/** The parts of a manifest that are not in definitions. */
export interface ManifestOptions {
  /** The tokenizer that `tokensOf` uses. */
  readonly tokenizer: string
  /** Returns a path in its form for the manifest: relative to the folder that is built. */
  pathOf(path: string): string
  /** Returns the file with the handler of a tool that was read from disk. */
  handlerOf(tool: ContentHash): string | undefined
  tokensOf(definition: Skill | Tool): TokenCounts
  /** Returns the file of a server that was read from disk. */
  serverFileOf?(server: string): string | undefined
}

/**
 * Writes a catalog as a manifest. It contains neither shadowed skills nor code: handlers are bound
 * again by hash, and components and servers are given again by name.
 */
export function buildManifest(catalog: Catalog, options: ManifestOptions): Manifest {
  const records = recordWriters(options)
  const content = {
    format: MANIFEST_FORMAT,
    version: catalog.hash,
    tokenizer: options.tokenizer,
    skills: Array.from(catalog.skills.values(), records.skill),
    toolsets: Array.from(catalog.toolsets.values(), records.toolset),
    tools: [...catalog.sharedTools.values()].flat().map(records.tool),
    globalTools: catalog.globalTools.map(({ hash }) => hash),
    agents: Array.from(catalog.agents.values(), records.withPath),
    rules: Array.from(catalog.rules.values(), records.withPath),
    components: Array.from(catalog.components.values(), (component) => ({
      key: component.key,
      hash: componentHash(component),
    })).sort((a, b) => byName(a.key, b.key)),
    ...(catalog.servers && { servers: Array.from(catalog.servers.values(), records.server) }),
  } as const
  return { ...content, digest: manifestDigest(content) }
}

/**
 * Creates functions that write the records of definitions. Tools with equal hashes share one record,
 * and each schema is converted once, however many tools have it.
 */
function recordWriters({ pathOf, handlerOf, tokensOf, serverFileOf }: ManifestOptions) {
  const forms = new Map<string, ManifestTool['providers']>()
  const records = new Map<ContentHash, ManifestTool>()

  function tool(one: Tool): ManifestTool {
    const known = records.get(one.hash)
    if (known !== undefined) return known
    const { nameOnServer } = one
    const handler = handlerOf(one.hash)
    const record: ManifestTool = {
      ...toolDefinition(one),
      hash: one.hash,
      ...(nameOnServer !== undefined && { nameOnServer }),
      providers: providerForms(one.inputSchema),
      tokens: tokensOf(one),
      ...(handler !== undefined && { handler: pathOf(handler) }),
    }
    records.set(one.hash, record)
    return record
  }

  function providerForms(schema: JsonSchema): ManifestTool['providers'] {
    const written = schemaText(schema)
    const known = forms.get(written)
    if (known !== undefined) return known
    // Converted after a round trip, so that lists made of its keys equal those of a manifest that was read.
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
    return {
      ...(storedSkill(one) as unknown as ManifestSkill),
      tools: one.tools.map(valueOrName),
      toolsets: one.toolsets.map((each) => (typeof each === 'string' ? each : toolset(each))),
      tokens: tokensOf(one),
      ...(one.path !== undefined && { path: pathOf(one.path) }),
    }
  }

  function server({ name, hash, trusted, listing }: ToolServer): ManifestServer {
    const file = serverFileOf?.(name)
    return {
      name,
      hash,
      trusted,
      ...(listing && { tools: listing.tools.map(tool) }),
      ...(listing?.instructions !== undefined && { instructions: listing.instructions }),
      ...(file !== undefined && { path: pathOf(file) }),
    }
  }

  function valueOrName(one: Tool | string): ManifestTool | string {
    return typeof one === 'string' ? one : tool(one)
  }

  function withPath<T extends { readonly path?: string }>(one: T): T {
    return one.path === undefined ? one : { ...one, path: pathOf(one.path) }
  }

  return { tool, toolset, skill, server, withPath }
}
