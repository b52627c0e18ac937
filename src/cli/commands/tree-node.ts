import type { ContentHash } from '../../kernel/content-hash.ts'

/** One definition of a catalog with what belongs to it; an element of `list --json`. */
export interface TreeNode {
  readonly kind: 'agent' | 'skill' | 'toolset' | 'tool' | 'rules' | 'component'
  readonly name: string
  readonly description: string
  /** Of its own text: a prompt, instructions, a definition in a request. */
  readonly tokens: number
  /** The file it was read from; null for what is code, or a tool. */
  readonly path: string | null
  readonly hash: ContentHash | null
  /** What is to be said of it where it stands: `initial`, `from "…"`, `shadowed`, `not there`. */
  readonly note: string | null
  /** An agent that may load every skill: they stand beside it, not below. */
  readonly anySkill: boolean
  /** What it holds stands below the first node of this name. */
  readonly repeated: boolean
  readonly children: readonly TreeNode[]
}

/** A node of what it says, with a default for all else. */
export function treeNode(
  node: Pick<TreeNode, 'kind' | 'name' | 'tokens'> & Partial<TreeNode>,
): TreeNode {
  const { kind, name, tokens, ...more } = node
  return {
    kind,
    name,
    description: '',
    tokens,
    path: null,
    hash: null,
    note: null,
    anySkill: false,
    repeated: false,
    children: [],
    ...more,
  }
}
