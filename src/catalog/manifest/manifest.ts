import { canonicalJson } from '../../kernel/canonical-json.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { ToolDefinition } from '../../tools/definition/tool.ts'
import type { Provider } from '../../tools/provider-schema/provider-schema.ts'
import type { SchemaLoss } from '../../tools/provider-schema/schema-loss.ts'

/** Raised when a manifest of before would be misread. */
export const MANIFEST_FORMAT = 1

/** Tokens of the texts that a definition puts before a model, by the digest of each text. */
export interface TokenCounts {
  readonly total: number
  readonly texts: Readonly<Record<string, number>>
}

/** How one provider takes a tool's arguments, where that is not `inputSchema` as it is. */
export interface ProviderForm {
  /** Absent when `inputSchema` is carried as it is. */
  readonly schema?: JsonSchema
  readonly losses: readonly SchemaLoss[]
}

/** A tool as a manifest holds it. Providers that take `inputSchema` whole are not listed. */
export interface ManifestTool extends ToolDefinition {
  readonly hash: ContentHash
  readonly providers: Readonly<Partial<Record<Provider, ProviderForm>>>
  readonly tokens: TokenCounts
  /** Its handler, by path from the folder that was built; no part of its hash. */
  readonly handler?: string
}

export type ManifestToolset = Omit<Toolset, 'tools'> & {
  readonly tools: readonly (ManifestTool | string)[]
}

export type ManifestSkill = Omit<
  Skill,
  | 'tools'
  | 'toolsets'
  | 'baseDirectory'
  | 'diagnostics'
  | 'readFile'
  | 'onActivate'
  | 'onDeactivate'
> & {
  readonly tools: readonly (ManifestTool | string)[]
  readonly toolsets: readonly (ManifestToolset | string)[]
  readonly tokens: TokenCounts
}

/**
 * A catalog as one file. Every `path` in it is relative to the folder that was built, with `/`; no
 * clock, no machine and no absolute path is in it, so one input has one manifest.
 */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT
  /** The hash of the catalog: covers everything a model may read, documentation and files too. */
  readonly version: ContentHash
  /** Covers all else in the manifest: version, paths, provider schemas and token counts. */
  readonly digest: ContentHash
  /** The tokenizer of every count. */
  readonly tokenizer: string
  /** By name, one a name. */
  readonly skills: readonly ManifestSkill[]
  readonly toolsets: readonly ManifestToolset[]
  /** Shared tools, by name, highest version first. */
  readonly tools: readonly ManifestTool[]
  /** Hashes of the shared tools that nothing names, which are always available. */
  readonly globalTools: readonly ContentHash[]
  readonly agents: readonly Agent[]
  readonly rules: readonly TopicRules[]
  /** Components are code: who loads the manifest gives them again, by these hashes. */
  readonly components: readonly { readonly key: string; readonly hash: ContentHash }[]
}

/** Every tool of a manifest, in the order a catalog looks them through. */
export function* manifestTools(manifest: Manifest): Generator<ManifestTool> {
  yield* manifest.tools
  for (const { tools, toolsets } of manifest.skills) {
    yield* byValue(tools)
    for (const toolset of toolsets) if (typeof toolset !== 'string') yield* toolsIn(toolset)
  }
  for (const toolset of manifest.toolsets) yield* toolsIn(toolset)
}

function* toolsIn({ tools }: ManifestToolset): Generator<ManifestTool> {
  yield* byValue(tools)
}

function* byValue(tools: readonly (ManifestTool | string)[]): Generator<ManifestTool> {
  for (const tool of tools) if (typeof tool !== 'string') yield tool
}

/**
 * The digest of a manifest's content, its own member left out. Lists are digested item by item, so
 * that the text of a large catalog never stands in memory as one.
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
