import type { Manifest } from '../../catalog/manifest/manifest.ts'
import { type BuildCommandOptions, nothingWritten, writeBuild } from './write-build.ts'
import { changeLine } from '../shell/change-line.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../shell/json-text.ts'
import { diagnosticPlace } from '../shell/report-diagnostics.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { ProjectOptions } from '../../project/folders/open-project.ts'
import {
  buildFromProject,
  buildReadOptions,
  type ProjectBuild,
} from '../../project/manifest/build-project.ts'
import { type ProjectUpdate, watchProject } from '../../project/watch-project.ts'

interface WatchedBuild {
  readonly paths: readonly string[]
  readonly reading: ProjectOptions
  readonly counter: TokenCounter
  readonly build: ProjectBuild
  /** What stands in the file by now; null when it holds no manifest. */
  readonly written: Manifest | null
  readonly file: string
  readonly options: BuildCommandOptions
  readonly context: CliContext
}

/**
 * Build again at each change, one after the other, and tell what was added, removed and changed. The
 * last manifest stays while something cannot be read. Resolves when the user interrupts.
 */
export async function watchBuild(watched: WatchedBuild): Promise<void> {
  const { paths, counter, file, options, context } = watched
  const reading = await buildReadOptions(paths, watched.reading)
  let { written } = watched
  let told = foundIn(watched.build)
  let isBroken = watched.build.missing.length > 0
  let turn = Promise.resolve()
  const watch = await watchProject(paths, { ...reading, known: watched.build.project })
  const complain = (message: string) => {
    context.stderr.write(`loadout: ${sanitiseLine(message)}\n`)
  }
  const rebuild = async (change: ProjectUpdate) => {
    if (!change.ok) {
      complain(change.problem.message)
      told = ''
      isBroken = true
      return
    }
    const build = await buildFromProject(change.project, paths, { ...watched.reading, counter })
    const found = foundIn(build)
    if (found === told) return
    const report = await writeBuild(build, file, written, options)
    const isHealed = isBroken && report.ok
    told = found
    isBroken = !report.ok
    if (report.file !== null) written = build.manifest
    if (report.ok && report.changes?.length === 0 && !isHealed) return
    if (options.json === true) context.stdout.write(jsonText(report, 0))
    else {
      for (const one of report.missing) {
        complain(`${diagnosticPlace(one)}${one.message}`)
        if (one.hint !== '') context.stderr.write(`  ${sanitiseLine(one.hint)}\n`)
      }
      if (report.file === null) context.stderr.write(nothingWritten(report))
      else for (const one of report.changes ?? []) say(changeLine(one, context))
      if (isHealed) say('Everything can be read again, and the manifest is up to date.')
    }
  }
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const stop = watch.onChange((change) => {
    turn = turn
      .then(() => rebuild(change))
      .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)))
  })
  if (context.stderr.isTTY === true && options.json !== true) {
    context.stderr.write('Watching for changes; Ctrl-C ends it.\n')
  }
  await new Promise<void>((done) => context.onInterrupt(done))
  stop()
  await watch.close()
  await turn
}

/** What a build says that is worth telling again when it is another one. */
function foundIn({ manifest, missing }: ProjectBuild): string {
  return JSON.stringify([manifest.digest, missing])
}
