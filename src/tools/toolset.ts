import type { ContentHash } from '../kernel/content-hash.ts'
import type { Tool } from './definition/tool.ts'

/** A named, documented group of tools. */
export interface Toolset {
  readonly name: string
  readonly description: string
  /** Markdown a model reads when it loads the toolset. */
  readonly instructions: string
  /** How its tools are to be used, in Markdown: told once, when a model finds one of them. */
  readonly rules?: string
  /** Tools by value, or by name (`search`, `search@^1`) among the catalog's shared tools. */
  readonly tools: readonly (Tool | string)[]
  readonly hash: ContentHash
  /** The file it was read from. */
  readonly path?: string
}
