import type { TreeNode } from './tree-node.ts'

/** One element of `list --json`: a definition, and what brings it. */
interface ListItem extends Omit<TreeNode, 'children' | 'repeated' | 'anySkill' | 'note'> {
  /** The definitions directly above it: agents of a skill, skills and toolsets of a tool. */
  readonly in: readonly Holder[]
}

/** In the order they are listed in. */
const KINDS: readonly TreeNode['kind'][] = [
  'agent',
  'skill',
  'toolset',
  'tool',
  'component',
  'rules',
]

/** Every definition of a tree once, kind by kind; names that lead nowhere are left out. */
export function listItems(tree: readonly TreeNode[]): readonly ListItem[] {
  const items = new Map<string, ListItem>()
  const visit = (node: TreeNode, above: TreeNode | null): void => {
    const { children, repeated: _repeated, anySkill: _anySkill, note: _note, ...item } = node
    if (node.hash === null && node.kind !== 'component') return
    const key = `${node.kind} ${node.name} ${node.hash} ${node.path}`
    const before = items.get(key)
    const holders = before?.in ?? []
    const isNew = above !== null && !holders.some((one) => isSame(one, above))
    const added = isNew ? [{ kind: above.kind, name: above.name }] : []
    items.set(key, { ...item, in: [...holders, ...added] })
    for (const child of children) visit(child, node)
  }
  for (const root of tree) visit(root, null)
  return [...items.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

type Holder = Pick<TreeNode, 'kind' | 'name'>

function isSame(a: Holder, b: Holder): boolean {
  return a.kind === b.kind && a.name === b.name
}
