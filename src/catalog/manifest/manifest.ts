import { canonicalJson } from '../../kernel/canonical-json.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool, ToolDefinition } from '../../tools/definition/tool.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import type { SchemaLoss } from '../../schema/provider-forms/schema-loss.ts'

/** Increased when this version would misread earlier manifests. */
export const MANIFEST_FORMAT = 1

/** Tokens of the texts that a definition shows to a model, by the digest of each text. */
export interface TokenCounts {
  readonly total: number
  readonly texts: Readonly<Record<string, number>>
}

/** The form of a tool's arguments for a provider that does not accept `inputSchema` unchanged. */
export interface ProviderForm {
  /** Absent if `inputSchema` is sent unchanged. */
  readonly schema?: JsonSchema
  readonly losses: readonly SchemaLoss[]
}

/** The record of a tool. Providers that accept `inputSchema` completely are not listed. */
export interface ManifestTool extends ToolDefinition, Pick<Tool, 'hash' | 'nameOnServer'> {
  readonly providers: Readonly<Partial<Record<Provider, ProviderForm>>>
  readonly tokens: TokenCounts
  /** The path of its handler, relative to the folder that was built. Not part of its hash. */
  readonly handler?: string
}

export type ManifestToolset = Omit<Toolset, 'tools'> & {
  readonly tools: readonly (ManifestTool | string)[]
}

export type ManifestSkill = Omit<
  Skill,
  | 'instructions'
  | 'tools'
  | 'toolsets'
  | 'baseDirectory'
  | 'permissionsLine'
  | 'diagnostics'
  | 'missingPrograms'
  | 'readFile'
  | 'onActivate'
  | 'onDeactivate'
> & {
  /** The instructions of the skill. */
  readonly workDirection: string
  readonly tools: readonly (ManifestTool | string)[]
  readonly toolsets: readonly (ManifestToolset | string)[]
  readonly tokens: TokenCounts
}

/**
 * A catalog as one file. Every `path` is relative to the folder that was built, with `/`. There is no
 * time, no name of a machine and no absolute path in it, so equal input gives equal manifests.
 */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT
  /** The hash of the catalog. Covers everything a model may read, including documentation and files. */
  readonly version: ContentHash
  /** Covers the rest of the manifest: version, paths, provider schemas and token counts. */
  readonly digest: ContentHash
  /** The tokenizer of all counts. */
  readonly tokenizer: string
  /** In order of names, one per name. */
  readonly skills: readonly ManifestSkill[]
  readonly toolsets: readonly ManifestToolset[]
  /** Shared tools in order of names, highest version first. */
  readonly tools: readonly ManifestTool[]
  /** Hashes of the shared tools that no definition names. They are always available. */
  readonly globalTools: readonly ContentHash[]
  readonly agents: readonly Agent[]
  readonly rules: readonly TopicRules[]
  /** Components are code: they are given again when the manifest is loaded, and must have these hashes. */
  readonly components: readonly { readonly key: string; readonly hash: ContentHash }[]
  /** Servers of tools, in order of names; absent without any. */
  readonly servers?: readonly ManifestServer[]
}

/** A server without its configuration: it is given again when the manifest is loaded, and must have this hash. */
export interface ManifestServer extends Pick<ToolServer, 'name' | 'hash' | 'trusted'> {
  /** Its stored tools; absent without a listing. */
  readonly tools?: readonly ManifestTool[]
  /** The server's own text for a model; not trusted. */
  readonly instructions?: string
  /** The file of its configuration, relative to the folder that was built. Not part of its hash. */
  readonly path?: string
}

/** Yields every tool of a manifest, in the order in which a catalog searches them. */
export function* manifestTools(manifest: Manifest): Generator<ManifestTool> {
  yield* manifest.tools
  for (const { tools, toolsets } of manifest.skills) {
    yield* byValue(tools)
    for (const toolset of toolsets) if (typeof toolset !== 'string') yield* byValue(toolset.tools)
  }
  for (const { tools } of manifest.toolsets) yield* byValue(tools)
  for (const { tools = [] } of manifest.servers ?? []) yield* tools
}

function* byValue(tools: readonly (ManifestTool | string)[]): Generator<ManifestTool> {
  for (const tool of tools) if (typeof tool !== 'string') yield tool
}

/**
 * Hashes the content of a manifest, without its member `digest`. Lists are hashed item by item, so
 * that the complete text of a large catalog is never in memory.
 */
export function manifestDigest(content: Omit<Manifest, 'digest'>): ContentHash {
  const members = Object.entries(content)
    .filter(([name]) => name !== 'digest')
    .sort(([a], [b]) => byName(a, b))
    .map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => textHash(canonicalJson(one)))
        : textHash(canonicalJson(value)),
    ])
  return textHash(JSON.stringify(members))
}
