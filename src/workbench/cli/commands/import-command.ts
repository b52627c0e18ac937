import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { ImportItem } from '../../project/import/imported.ts'
import { parseChoice } from '../shell/wrong-usage.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint, type Paint } from '../../report/writers/paint.ts'

const FORMATS = ['carnet', 'claude'] as const
/** `loadout import`: convert the files of another program. */
export const importCommand: CliCommand<{ readonly plugin?: string; readonly json?: true }> = {
  name: 'import',
  summary: 'Convert a Carnet project, a .claude folder or a plugin into Loadout folders',
  description:
    'Convert the definitions of another program into Loadout folders, and report for each item whether ' +
    'it was taken unchanged, changed, or left out, and why. If a file exists already, nothing is ' +
    'written. No code is run.\n\n' +
    'carnet: a Carnet project or its manifest.\n\n' +
    'claude: the skills, commands, agents and permissions in .claude, or a plugin of Claude Code. From a marketplace, ' +
    'choose a plugin with --plugin.',
  arguments: '<format> <from> <to>',
  options: () => [
    new Option('--plugin <name>', 'Import this plugin of a marketplace of Claude Code'),
    jsonOption(),
  ],
  examples: [
    'loadout import carnet examples/carnet-project shop',
    'loadout import claude superpowers ours --plugin superpowers',
  ],
  async run({ words: [word = '', from = '', to = ''], options, context }) {
    const format = parseChoice(word, FORMATS, 'import format')
    const source = resolve(context.cwd, from)
    const target = resolve(context.cwd, to)
    const plugin = options.plugin === undefined ? {} : { plugin: options.plugin }
    const [{ importCarnet }, { importClaude }] = await Promise.all([
      import('../../project/import/import-carnet.ts'),
      import('../../project/import/import-claude.ts'),
    ])
    const { files, items } = await (format === 'carnet'
      ? importCarnet(source, target)
      : importClaude(source, target, plugin))
    if (options.json === true) {
      context.stdout.write(jsonText({ from: source, to: target, files, items }))
      return 0
    }
    for (const { outcome, kind, name, to: written, notes } of items) {
      const arrow = written === null ? '' : ` -> ${sanitiseLine(written)}`
      const word = paint(outcome.padEnd(7), PAINTS[outcome], context)
      context.stdout.write(`${word} ${kind} ${sanitiseLine(name)}${arrow}\n`)
      for (const note of notes) context.stdout.write(`        ${sanitiseLine(note)}\n`)
    }
    const count = (outcome: ImportItem['outcome']) =>
      items.filter((item) => item.outcome === outcome).length
    context.stdout.write(
      `${count('taken')} taken unchanged, ${count('changed')} changed, ${count('left')} left out; ${counted(files.length, 'file')} written.\n`,
    )
    return 0
  },
}

const PAINTS: Readonly<Record<ImportItem['outcome'], Paint>> = {
  taken: 'green',
  changed: 'yellow',
  left: 'dim',
}
