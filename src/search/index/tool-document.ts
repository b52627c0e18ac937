import type { JsonSchema } from '../../kernel/json-value.ts'
import { squashName } from '../words/fold-text.ts'

/** What a search looks through: one tool or one skill, as its author describes it. */
export interface ToolDocument {
  /** Unique among the documents of one index. */
  readonly name: string
  /** `tool` when absent. */
  readonly kind?: 'tool' | 'skill'
  readonly description: string
  /** Example requests that should find it. */
  readonly phrases?: readonly string[]
  readonly topic?: string
  readonly tags?: readonly string[]
  /** The skill, toolset or server it belongs to. */
  readonly owner?: string
  /** Its parameters' names and descriptions are searched, too. */
  readonly inputSchema?: JsonSchema
}

/** Tools and skills may share a name; the two together are what a document is known by. */
export type DocumentKind = NonNullable<ToolDocument['kind']>

/** What is kept of a document beside its terms. */
export interface IndexedDocument {
  readonly name: string
  readonly kind: DocumentKind
  /** Documents that belong together: the tools of a skill, and the skill. */
  readonly owner: string
  readonly bare: string
}

/** A name in two: whose it is, and what it is called there. */
export interface SplitName {
  /** The skill, toolset or server, as stated or as the name begins; empty when there is none. */
  readonly owner: string
  readonly bare: string
}

const SEPARATORS = ['__', '/', ':']

/** Part `github__create_issue` and `mcp__github__create_issue` from what they belong to. */
export function splitName({ name, owner = '' }: ToolDocument): SplitName {
  for (const separator of SEPARATORS) {
    const at = name.lastIndexOf(separator)
    const bare = name.slice(at + separator.length)
    if (at > 0 && bare !== '') return { owner: owner === '' ? name.slice(0, at) : owner, bare }
  }
  return { owner, bare: withoutOwner(name, owner) }
}

/** `github_create_issue` of the owner `GitHub` is `create_issue`. */
function withoutOwner(name: string, owner: string): string {
  const at = owner.length
  const begins = at > 0 && /^[_.-]$/.test(name.charAt(at)) && name.length > at + 1
  return begins && squashName(name.slice(0, at)) === squashName(owner) ? name.slice(at + 1) : name
}
