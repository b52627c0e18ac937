import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Manifest } from '../../catalog/manifest/manifest.ts'
import {
  type BuildCommandOptions,
  type BuildReport,
  nothingWritten,
  writeBuild,
  writeBuildReport,
} from './write-build.ts'
import { resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { readingOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { progressLine } from '../shell/progress-line.ts'
import { reportDiagnostics } from '../shell/report-diagnostics.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { BuildStage, ProjectBuild } from '../../project/manifest/build-project.ts'
import { MANIFEST_FILE } from '../../project/manifest/manifest-file.ts'

/** `loadout build`: every definition in one reproducible file. */
export const buildCommand: CliCommand<BuildCommandOptions> = {
  name: 'build',
  summary: 'write every definition into one reproducible file',
  description:
    'Write every skill, tool, toolset, agent and set of rules into loadout.manifest.json, with the ' +
    'schemas of each provider and token counts. The same input gives the same bytes on any machine; ' +
    'commit and time go into loadout.provenance.json beside it. Nothing of the home is built. While ' +
    'something cannot be read, nothing is written, unless --partial says so.',
  arguments: '[paths...]',
  options: () => [
    new Option('--out <file>', `the file to write; ${MANIFEST_FILE} by default`),
    new Option('--watch', 'build again whenever something changes, until interrupted'),
    new Option('--partial', 'write what could be read, although something is missing'),
    ...readingOptions(),
  ],
  examples: ['loadout build examples/workbench --trust'],
  async run({ words, options, context }) {
    const { buildProject } = await import('../../project/manifest/build-project.ts')
    const { o200kCounter } = await import('../../workspace/open/o200k-counter.ts')
    const { paths, reading } = await resolveReading(words, options, context)
    const file = resolve(context.cwd, options.out ?? MANIFEST_FILE)
    const progress = buildProgress(context)
    const counter = await o200kCounter()
    const before = await manifestAt(file)
    const build = await buildProject(paths, {
      ...reading,
      counter,
      onProgress: progress.onProgress,
    }).finally(progress.end)
    const report = await writeBuild(build, file, before, options)
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

function writeResult(
  report: BuildReport,
  { project }: ProjectBuild,
  options: BuildCommandOptions,
  context: CliContext,
): void {
  if (options.json === true) {
    context.stdout.write(jsonText(report, options.watch === true ? 0 : 2))
    return
  }
  // No handler is needed to build, so it is no matter which may run.
  const diagnostics = project.diagnostics.filter(({ code }) => code !== 'handler-untrusted')
  reportDiagnostics({ ...project, diagnostics }, options.verbose === true, context)
  if (report.file !== null) writeBuildReport(report, options.verbose === true, context)
  else context.stderr.write(nothingWritten(report))
}

/** The manifest that was built before; null when there is none that can be read. */
async function manifestAt(file: string): Promise<Manifest | null> {
  const { loadManifest } = await import('../../project/manifest/load-manifest.ts')
  try {
    return await loadManifest(file)
  } catch (error) {
    if (WorkspaceError.is(error)) return null
    throw error
  }
}

const WORDS: Readonly<Record<BuildStage, string>> = {
  read: 'Reading definitions',
  count: 'Counting tokens',
  write: 'Writing',
}

/** The progress line of a build: what stage it is at. */
function buildProgress(context: Pick<CliContext, 'stderr'>) {
  const line = progressLine(context)
  return {
    onProgress: (stage: BuildStage, done?: number, of?: number) =>
      line.show(WORDS[stage], done, of),
    end: line.end,
  }
}
