import { resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine, shellWord } from '../../../entries/kit.ts'
import { openCatalog, type OpenCatalog } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { readingOptions, type ReadingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { PATIENCE_MS, progressLine } from '../shell/progress-line.ts'
import { parseChoice, wrongUsage } from '../shell/wrong-usage.ts'

const FORMATS = ['carnet', 'skills'] as const

/** `loadout export`: write definitions in the format of another program. */
export const exportCommand: CliCommand<ReadingOptions & { readonly manifest?: true }> = {
  name: 'export',
  summary: 'Write definitions as a Carnet project or as Agent Skills folders',
  description:
    'Write the definitions at the paths in the format of another program, and list what that format ' +
    'cannot express. Existing files are never overwritten.\n\n' +
    'carnet: a project for "carnet build", written into an empty folder. With --manifest, only the ' +
    "carnet.manifest.json that Carnet's class reads.\n\n" +
    'skills: plain Agent Skills folders, each self-contained.',
  arguments: '<format> <to> [paths...]',
  options: () => [
    new Option('--manifest', 'Write only carnet.manifest.json (format carnet)'),
    ...readingOptions(),
  ],
  examples: ['loadout export skills plain-skills examples/workbench/skills'],
  async run({ words: [word = '', to = '', ...paths], options, context }) {
    const format = parseChoice(word, FORMATS, 'export format')
    const target = resolve(context.cwd, to)
    const isManifest = options.manifest === true
    if (isManifest && format !== 'carnet') {
      throw wrongUsage('--manifest is only for carnet.', 'Leave it out, or export carnet.')
    }
    const source = await openCatalog(paths, options, context, { home: false })
    const { skills, agents } = source.catalog
    if (skills.size === 0 && (format === 'skills' || agents.size === 0)) {
      throw new WorkspaceError('NOTHING_TO_EXPORT', 'No skills were found to export.', {
        hint: `Give the folder that contains them: loadout export ${format} ${shellWord(to)} <folder>.`,
      })
    }
    const line = progressLine(context, { after: PATIENCE_MS })
    const { files, diagnostics } = await writeFiles(
      isManifest ? 'manifest' : format,
      source,
      target,
      (done, of) => line.show('Writing files', done, of),
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
    context.stdout.write(`Exported ${what} to ${sanitiseLine(target)}.\n`)
    return 0
  },
}

async function writeFiles(
  format: (typeof FORMATS)[number] | 'manifest',
  { catalog, handlers }: OpenCatalog,
  target: string,
  onFile: (done: number, of: number) => void,
) {
  switch (format) {
    case 'carnet': {
      const { exportCarnet } = await import('../../project/export/export-carnet.ts')
      return exportCarnet(catalog, target)
    }
    case 'manifest': {
      const { writeCarnetManifest } = await import('../../project/export/export-carnet.ts')
      return writeCarnetManifest(catalog, target, { replace: false })
    }
    case 'skills': {
      const { exportSkills } = await import('../../project/export/export-skills.ts')
      return exportSkills(catalog, handlers, target, onFile)
    }
  }
}
