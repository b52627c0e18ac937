import { Option } from 'commander'
import type { TreeNode } from './catalog-tree.ts'
import { openCatalog } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type ReadingOptions, readingOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'
import { writeTable } from '../shell/write-table.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'

interface ListOptions extends ReadingOptions {
  readonly tree?: true
}

/** `loadout list`: every definition, of every kind. */
export const listCommand: CliCommand<ListOptions> = {
  name: 'list',
  summary: 'list every definition: agents, skills, toolsets, tools, rules',
  description:
    'List agents, skills, toolsets, tools, components and rules with their tokens, of folders, ' +
    'Carnet projects or a manifest that was built. With --tree they stand below what brings them. ' +
    'A session is not opened: "loadout tools" says which tools can be called in one.',
  arguments: '[paths...]',
  options: () => [
    new Option('--tree', 'agents > skills > toolsets > tools, as a tree'),
    ...readingOptions(),
  ],
  examples: ['loadout list examples/workbench --trust --tree'],
  async run({ words, options, context }) {
    const { catalogTree } = await import('./catalog-tree.ts')
    const { catalog, counter } = await openCatalog(words, options, context, { home: true })
    const tree = catalogTree(catalog, counter)
    if (options.tree === true) {
      if (options.json === true) context.stdout.write(jsonText(tree))
      else for (const line of treeLines(tree, context)) context.stdout.write(`${line}\n`)
      return 0
    }
    const items = listItems(tree)
    if (options.json === true) {
      context.stdout.write(jsonText(items))
      return 0
    }
    writeTable(
      ['KIND', 'NAME', 'TOKENS', 'IN', 'DESCRIPTION'],
      items.map(({ kind, name, tokens, in: holders, description }) => [
        { text: kind, colour: 'dim' },
        { text: name },
        { text: String(tokens) },
        { text: holdersText(holders.map((one) => one.name)) },
        { text: description },
      ]),
      context,
    )
    return 0
  },
}

function holdersText([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`
}

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
function listItems(tree: readonly TreeNode[]): readonly ListItem[] {
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

/** A tree for people, one line a definition; roots stand at the margin. */
function treeLines(
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
