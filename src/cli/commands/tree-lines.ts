import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { paint } from '../shell/paint.ts'
import type { TreeNode } from './tree-node.ts'

/** A tree for people, one line a definition; roots stand at the margin. */
export function treeLines(
  nodes: readonly TreeNode[],
  context: Pick<CliContext, 'colour'>,
): readonly string[] {
  return nodes.flatMap((node) => [line(node, context), ...below(node, '', context)])
}

function below(
  { children, anySkill }: TreeNode,
  indent: string,
  context: Pick<CliContext, 'colour'>,
): readonly string[] {
  const lines = children.flatMap((child, index) => {
    const isLast = index === children.length - 1 && !anySkill
    const own = `${indent}${isLast ? '└─ ' : '├─ '}${line(child, context)}`
    return [own, ...below(child, `${indent}${isLast ? '   ' : '│  '}`, context)]
  })
  if (!anySkill) return lines
  const rest = children.length === 0 ? 'every skill' : 'every other skill'
  return [...lines, `${indent}└─ ${paint(rest, 'dim', context)}`]
}

function line(node: TreeNode, context: Pick<CliContext, 'colour'>): string {
  const { kind, name, tokens, note, repeated, children } = node
  const tools = toolTokens(node)
  const price = [
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(kind === 'skill' && tools > 0 ? [`its tools ${tools}`] : []),
  ].join(', ')
  const remarks = [
    ...(note === null ? [] : [note]),
    ...(repeated ? ['as above'] : []),
    ...(kind === 'toolset' && children.length === 0 && note === null ? ['no tools'] : []),
  ]
  return [
    paint(kind, 'dim', context),
    sanitiseLine(name),
    ...(price === '' ? [] : [paint(price, 'dim', context)]),
    ...(remarks.length === 0 ? [] : [`(${sanitiseLine(remarks.join(', '))})`]),
  ].join(' ')
}

function toolTokens({ children }: TreeNode): number {
  return children.reduce(
    (sum, child) => sum + (child.kind === 'tool' ? child.tokens : 0) + toolTokens(child),
    0,
  )
}
