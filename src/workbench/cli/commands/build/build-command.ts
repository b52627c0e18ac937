import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../../entries/index.ts'
import type { Manifest } from '../../../../entries/manifest.ts'
import type { BuildCommandOptions } from './write-build.ts'
import { resolveReading } from '../../opening/open-catalog.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import { readingOptions } from '../../shell/opening-options.ts'
import { progressLine } from '../../shell/progress-line.ts'
import type { BuildStage } from '../../../project/manifest/build-project.ts'
import { MANIFEST_FILE } from '../../../project/manifest/manifest-file.ts'

/** `loadout build`: write all definitions into one reproducible file. */
export const buildCommand: CliCommand<BuildCommandOptions> = {
  name: 'build',
  summary: 'Write all definitions into one reproducible manifest',
  description:
    'Write all skills, tools, toolsets, agents and rules into loadout.manifest.json, with token counts ' +
    'and the schemas for each provider. The same input gives the same bytes on any machine. The commit ' +
    'and the time go into loadout.provenance.json in the same folder.\n\n' +
    'Definitions in the home folder are not included. If a definition cannot be read, nothing is ' +
    'written, except with --partial.',
  arguments: '[paths...]',
  options: () => [
    new Option(
      '--out <path>',
      `File to write, or a folder for ${MANIFEST_FILE}; missing folders are created (default: the current folder)`,
    ),
    new Option('--watch', 'Build again after every change, until Ctrl-C'),
    new Option('--partial', 'Write the readable definitions even if others cannot be read'),
    ...readingOptions(),
  ],
  examples: ['loadout build examples/workbench --trust'],
  async run({ words, options, context }) {
    const [{ buildProject }, { o200kCounter }, { writeBuild, writeResult }] = await Promise.all([
      import('../../../project/manifest/build-project.ts'),
      import('../../../../entries/plan.ts'),
      import('./write-build.ts'),
    ])
    const { paths, reading } = await resolveReading(words, options, context)
    // `--out` is the file itself, or the folder of the manifest.
    const out = resolve(context.cwd, options.out ?? MANIFEST_FILE)
    const isFolder =
      /[\\/]$/.test(options.out ?? '') ||
      (await stat(out).catch(() => null))?.isDirectory() === true
    const file = isFolder ? join(out, MANIFEST_FILE) : out
    const progress = progressLine(context)
    const counter = await o200kCounter()
    const before = await manifestAt(file)
    const build = await buildProject(paths, {
      ...reading,
      counter,
      onProgress: (stage, done, of) => progress.show(STAGES[stage], done, of),
    }).finally(progress.end)
    const report = await writeBuild(build, file, before, options, reading.trustStore)
    writeResult(report, build, options, context)
    if (options.watch === true) {
      const { watchBuild } = await import('./watch-build.ts')
      const written = report.file === null ? before : build.manifest
      await watchBuild({ paths, reading, counter, build, written, file, options, context })
      return 0
    }
    return report.ok ? 0 : 1
  },
}

/** Reads the previous manifest; null when it is missing or invalid. */
async function manifestAt(file: string): Promise<Manifest | null> {
  const { loadManifest } = await import('../../../project/manifest/load-manifest.ts')
  try {
    return await loadManifest(file)
  } catch (error) {
    if (WorkspaceError.is(error)) return null
    throw error
  }
}

const STAGES: Readonly<Record<BuildStage, string>> = {
  read: 'Reading definitions',
  count: 'Counting tokens',
  write: 'Writing',
}
