import type { TokenCounter } from '../../../../entries/index.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { Manifest } from '../../../../entries/manifest.ts'
import { type BuildCommandOptions, nothingWritten, writeBuild } from './write-build.ts'
import { changeLine } from '../../../report/writers/change-line.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { diagnosticPlace } from '../../shell/report-diagnostics.ts'
import type { CommandReading } from '../../opening/open-catalog.ts'
import {
  buildFromProject,
  buildReadOptions,
  type ProjectBuild,
} from '../../../project/manifest/build-project.ts'
import { type ProjectUpdate, watchProject } from '../../../project/watch-project.ts'

interface WatchedBuild {
  readonly paths: readonly string[]
  readonly reading: CommandReading
  readonly counter: TokenCounter
  readonly build: ProjectBuild
  /** The manifest in the file; null when it contains none. */
  readonly written: Manifest | null
  readonly file: string
  readonly options: BuildCommandOptions
  readonly context: CliContext
}

/**
 * Builds again after each change, one build at a time, and reports what was added, removed and changed.
 * While a definition cannot be read, the last manifest stays. Resolves on an interrupt.
 */
export async function watchBuild(watched: WatchedBuild): Promise<void> {
  const { paths, counter, file, options, context } = watched
  const reading = await buildReadOptions(paths, watched.reading)
  let { written } = watched
  let reported = buildOutcome(watched.build)
  let isBroken = watched.build.missing.length > 0
  let queue = Promise.resolve()
  const watch = await watchProject(paths, { ...reading, known: watched.build.project })
  const complain = (message: string) => {
    context.stderr.write(`loadout: ${sanitiseLine(message)}\n`)
  }
  const rebuild = async (change: ProjectUpdate) => {
    if (!change.ok) {
      complain(change.problem.message)
      reported = ''
      isBroken = true
      return
    }
    const build = await buildFromProject(change.project, paths, { ...watched.reading, counter })
    const outcome = buildOutcome(build)
    if (outcome === reported) return
    const report = await writeBuild(build, file, written, options, watched.reading.trustStore)
    const isFixed = isBroken && report.ok
    reported = outcome
    isBroken = !report.ok
    if (report.file !== null) written = build.manifest
    if (report.ok && report.changes?.length === 0 && !isFixed) return
    if (options.json === true) context.stdout.write(jsonText(report, 0))
    else {
      for (const one of report.missing) {
        complain(`${diagnosticPlace(one)}${one.message}`)
        if (one.hint !== '') context.stderr.write(`  ${sanitiseLine(one.hint)}\n`)
      }
      if (report.file === null) context.stderr.write(nothingWritten(report))
      else for (const one of report.changes ?? []) say(changeLine(one, context))
      if (isFixed) say('All definitions can be read again. The manifest is up to date.')
    }
  }
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const stop = watch.onChange((change) => {
    queue = queue
      .then(() => rebuild(change))
      .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)))
  })
  if (context.stderr.isTTY === true && options.json !== true) {
    context.stderr.write('Watching for changes. Press Ctrl-C to stop.\n')
  }
  await new Promise<void>((done) => context.onInterrupt(done))
  stop()
  await watch.close()
  await queue
}

/** The part of a build that is reported again only when it differs. */
function buildOutcome({ manifest, missing }: ProjectBuild): string {
  return JSON.stringify([manifest.digest, missing])
}
