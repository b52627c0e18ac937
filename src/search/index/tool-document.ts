import type { JsonSchema } from '../../kernel/json-value.ts'
import { squashName } from '../words/fold-text.ts'

/** A tool or a skill as an index describes it. */
export interface ToolDocument {
  /** Unique among the documents of one index. */
  readonly name: string
  /** Default: `tool`. */
  readonly kind?: 'tool' | 'skill'
  readonly description: string
  /** Example queries that should find it. */
  readonly phrases?: readonly string[]
  readonly topic?: string
  readonly tags?: readonly string[]
  /** The skill, toolset or server it belongs to. */
  readonly owner?: string
  /** The names and descriptions of its parameters are searched as well. */
  readonly inputSchema?: JsonSchema
}

/** A tool and a skill may have the same name, so kind and name identify a document. */
export type DocumentKind = NonNullable<ToolDocument['kind']>

/** Returns the key of a document in a map: unique for its kind and name. */
export function documentKey({
  kind,
  name,
}: {
  readonly kind: DocumentKind
  readonly name: string
}): string {
  return `${kind} ${name}`
}

/** The properties of a document that an index stores besides its terms. */
export interface IndexedDocument {
  readonly name: string
  readonly kind: DocumentKind
  /** Equal for documents that belong together: a skill and its tools. */
  readonly owner: string
  readonly bare: string
}

/** A name in two parts: its owner, and its name within the owner. */
export interface SplitName {
  /** The skill, toolset or server, from the document or the start of the name; empty for none. */
  readonly owner: string
  readonly bare: string
}

const SEPARATORS = ['__', '/', ':']

/** Splits the owner from names such as `github__create_issue` and `mcp__github__create_issue`. */
export function splitName({ name, owner = '' }: ToolDocument): SplitName {
  for (const separator of SEPARATORS) {
    const at = name.lastIndexOf(separator)
    const bare = name.slice(at + separator.length)
    if (at > 0 && bare !== '') return { owner: owner === '' ? name.slice(0, at) : owner, bare }
  }
  // Turns `github_create_issue` of the owner `GitHub` into `create_issue`.
  const at = owner.length
  const isSplit = at > 0 && /^[_.-]$/.test(name.charAt(at)) && name.length > at + 1
  const isOwner = isSplit && squashName(name.slice(0, at)) === squashName(owner)
  return { owner, bare: isOwner ? name.slice(at + 1) : name }
}
