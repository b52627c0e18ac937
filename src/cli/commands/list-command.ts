import { Option } from 'commander'
import { readingOptions, type ReadingOptions } from '../opening/build-options.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonText } from '../shell/json-text.ts'
import { listItems } from './list-items.ts'
import { openCatalog } from '../opening/open-catalog.ts'
import { treeLines } from './tree-lines.ts'
import { writeTable } from '../shell/write-table.ts'

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
