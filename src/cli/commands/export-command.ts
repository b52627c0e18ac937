import { resolve } from 'node:path'
import { openCatalog, type OpenCatalog } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { readingOptions, type ReadingOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { counted } from '../../render/ink/parts/format-count.ts'
import { paint } from '../shell/paint.ts'
import { PATIENCE_MS, progressLine } from '../shell/progress-line.ts'
import { shellWord } from '../shell/shell-word.ts'
import { parseChoice } from '../shell/wrong-usage.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

const FORMATS = ['carnet', 'skills'] as const

/** `loadout export`: our definitions in folders of others. */
export const exportCommand: CliCommand<ReadingOptions> = {
  name: 'export',
  summary: 'write definitions as a Carnet project, or as plain Agent Skills folders',
  description:
    'Write what stands at the paths in the format of another program, and tell what that format ' +
    'cannot say. carnet: a project that "carnet build" takes, into an empty folder. skills: plain ' +
    'folders of the Agent Skills format, each with all it needs. Nothing is overwritten.',
  arguments: '<format> <to> [paths...]',
  options: readingOptions,
  examples: ['loadout export skills plain-skills examples/workbench/skills'],
  async run({ words: [word = '', to = '', ...paths], options, context }) {
    const format = parseChoice(word, FORMATS, 'format that is exported')
    const target = resolve(context.cwd, to)
    const source = await openCatalog(paths, options, context, { home: false })
    const { skills, agents } = source.catalog
    if (skills.size === 0 && (format === 'skills' || agents.size === 0)) {
      throw new WorkspaceError('NOTHING_TO_EXPORT', 'There are no skills to export.', {
        hint: `Give the folder that holds them: loadout export ${format} ${shellWord(to)} <folder>.`,
      })
    }
    const line = progressLine(context, { after: PATIENCE_MS })
    const { files, diagnostics } = await written(format, source, target, (done, of) =>
      line.show('Writing files', done, of),
    ).finally(line.end)
    if (options.json === true) {
      context.stdout.write(jsonText({ to: target, files, losses: diagnostics }))
      return 0
    }
    for (const { message, hint } of diagnostics) {
      context.stdout.write(`${paint('lost', 'yellow', context)}: ${sanitiseLine(message)}\n`)
      if (options.verbose === true) context.stdout.write(`  ${sanitiseLine(hint)}\n`)
    }
    const what = `${counted(skills.size, 'skill')}: ${counted(files.length, 'file')}`
    context.stdout.write(`Exported ${what} in ${sanitiseLine(target)}.\n`)
    return 0
  },
}

interface Written {
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

async function written(
  format: (typeof FORMATS)[number],
  { catalog, handlers }: OpenCatalog,
  target: string,
  onFile: (done: number, of: number) => void,
): Promise<Written> {
  switch (format) {
    case 'carnet': {
      const { exportCarnet } = await import('../../project/export/export-carnet.ts')
      return exportCarnet(catalog, target)
    }
    case 'skills': {
      const { exportSkills } = await import('../../project/export/export-skills.ts')
      return exportSkills(catalog, handlers, target, onFile)
    }
  }
}
