import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { type Catalog, WorkspaceError } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { TreeNode } from './catalog-tree.ts'
import { openCatalog } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { writeTable } from '../../report/writers/print-report.ts'
import type { Plugin } from '../../project/folders/read-plugins.ts'

/** `loadout list`: list all definitions. */
export const listCommand: CliCommand<
  ReadingOptions & { readonly tree?: true; readonly agent?: string }
> = {
  name: 'list',
  summary: 'List all definitions: plugins, agents, skills, toolsets, tools, rules',
  description:
    'List agents, skills, toolsets, tools, components and rules with their token counts. Paths can be ' +
    'folders, Carnet projects or manifests, and marketplaces and plugins of Claude Code, whose plugins are listed with ' +
    'their skills.\n\n' +
    'No session is opened. To see which tools are available in a session, use "loadout tools".',
  arguments: '[paths...]',
  options: () => [
    new Option('--agent <name>', 'List only this agent, with what it may load'),
    new Option('--tree', 'Print a tree: agents > skills > toolsets > tools'),
    ...readingOptions(),
  ],
  examples: [
    'loadout list examples/workbench --trust --tree',
    'loadout list examples/workbench --trust --agent assistant --tree',
  ],
  async run({ words, options, context }) {
    const { catalogTree } = await import('./catalog-tree.ts')
    const { catalog, counter, diagnostics } = await openCatalog(words, options, context, {
      home: true,
    })
    const { agent } = options
    const tree =
      agent === undefined
        ? catalogTree(catalog, counter, diagnostics, await pluginsAt(words, context))
        : catalogTree(onlyAgent(catalog, agent), counter, diagnostics).filter(
            ({ kind }) => kind === 'agent',
          )
    if (options.tree === true) {
      if (options.json === true) context.stdout.write(jsonText(tree))
      else
        for (const node of tree)
          for (const text of [line(node, context), ...below(node, '', context)])
            context.stdout.write(`${text}\n`)
      return 0
    }
    const items = listItems(tree)
    if (options.json === true) {
      context.stdout.write(jsonText(items))
      return 0
    }
    writeTable(
      ['KIND', 'NAME', 'TOKENS', 'IN', 'DESCRIPTION'],
      items.map(({ kind, name, tokens, in: [first, ...more], description }) => [
        { text: kind, colour: 'dim' },
        name,
        String(tokens),
        `${first?.name ?? ''}${more.length === 0 ? '' : ` and ${more.length} more`}`,
        description,
      ]),
      context,
    )
    return 0
  },
}

/** Reads the plugins of the given folders, and reports those that are elsewhere. */
async function pluginsAt(
  words: readonly string[],
  context: CliContext,
): Promise<readonly Plugin[]> {
  const { readPlugins } = await import('../../project/folders/read-plugins.ts')
  const found: Plugin[] = []
  for (const word of words.length === 0 ? ['.'] : words) {
    const folder = resolve(context.cwd, word)
    if (!(await stat(folder)).isDirectory()) continue
    const { plugins, elsewhere } = await readPlugins(folder)
    found.push(...plugins)
    for (const { name, source } of elsewhere) {
      const line = `The plugin "${name}" is not in this folder: its marketplace has it at ${source}.`
      context.stderr.write(`${sanitiseLine(line)}\n`)
    }
  }
  return found
}

/** Returns a catalog with one agent. Throws `AGENT_UNKNOWN`. */
function onlyAgent(catalog: Catalog, name: string): Catalog {
  const agent = catalog.agents.get(name)
  if (agent !== undefined) return { ...catalog, agents: new Map([[name, agent]]) }
  const known = [...catalog.agents.keys()]
  throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${name}".`, {
    facts: { agent: name, known },
    hint: known.length === 0 ? 'There are no agents here.' : `Known agents: ${known.join(', ')}.`,
  })
}

/** An element of `list --json`: a definition and its parents. */
interface ListItem extends Omit<TreeNode, 'children' | 'repeated' | 'anySkill' | 'note'> {
  /** Its parents in the tree: agents of a skill, skills and toolsets of a tool. */
  readonly in: readonly Pick<TreeNode, 'kind' | 'name'>[]
}

/** In the order of the list. */
const KINDS: readonly TreeNode['kind'][] = [
  'plugin',
  'agent',
  'skill',
  'toolset',
  'tool',
  'component',
  'rules',
]

/** Returns each definition of a tree once, sorted by kind, without names that match no definition. */
function listItems(tree: readonly TreeNode[]): readonly ListItem[] {
  const items = new Map<string, ListItem>()
  const visit = (node: TreeNode, above: TreeNode | null): void => {
    const { children, repeated: _repeated, anySkill: _anySkill, note: _note, ...item } = node
    if (node.hash === null && node.path === null && node.kind !== 'component') return
    const key = `${node.kind} ${node.name} ${node.hash} ${node.path}`
    const before = items.get(key)
    const parents = before?.in ?? []
    const isNew =
      above !== null &&
      !parents.some(({ kind, name }) => kind === above.kind && name === above.name)
    const added = isNew ? [{ kind: above.kind, name: above.name }] : []
    items.set(key, { ...item, in: [...parents, ...added] })
    for (const child of children) visit(child, node)
  }
  for (const root of tree) visit(root, null)
  return [...items.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

/** Returns the lines below a node of a tree, one per definition. */

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
