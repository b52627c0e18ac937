import { visitorKeys, type Node } from 'oxc-parser'

/** A node of the syntax tree with the node above it and the key it hangs on. */
export interface Position {
  readonly node: Node
  readonly parent: Node | null
  readonly key: string
}

/**
 * Every node below and including `root`, parents first; nothing below a node that `skip` names.
 *
 * The keys come from the parser itself, so new syntax is walked without a change here.
 */
export function* walkTree(
  root: Node,
  skip: (node: Node) => boolean = () => false,
): Generator<Position> {
  const waiting: Position[] = [{ node: root, parent: null, key: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next
    if (skip(node)) continue
    yield next
    for (const key of (visitorKeys[node.type] ?? []).toReversed()) {
      for (const child of [member(node, key)].flat().toReversed()) {
        if (isNode(child)) waiting.push({ node: child, parent: node, key })
      }
    }
  }
}

function member(node: Node, key: string): unknown {
  return Reflect.get(node, key)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
