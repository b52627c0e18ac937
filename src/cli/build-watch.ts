import { buildOf, buildReading, type ProjectBuild } from '../adapters/disk/build/build-project.ts'
import type { ProjectOptions } from '../adapters/disk/open-project.ts'
import { watchProject } from '../adapters/disk/watch-project.ts'
import { sanitiseLine } from '../kernel/sanitise-line.ts'
import type { TokenCounter } from '../kernel/token-counter.ts'
import type { BuildCommandOptions } from './build-options.ts'
import { nothingWritten, writeBuild } from './build-write.ts'
import type { CliContext } from './cli-context.ts'
import { changeLine } from './diff-report.ts'
import { jsonText } from './json-text.ts'

interface WatchedBuild {
  readonly paths: readonly string[]
  readonly reading: ProjectOptions
  readonly counter: TokenCounter
  readonly build: ProjectBuild
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
  const reading = await buildReading(paths, watched.reading)
  let { manifest } = watched.build
  let told = ''
  let turn = Promise.resolve()
  const watch = await watchProject(paths, { ...reading, known: watched.build.project })
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const stop = watch.onChange((change) => {
    turn = turn.then(async () => {
      if (!change.ok) {
        context.stderr.write(`loadout: ${sanitiseLine(change.problem.message)}\n`)
        return
      }
      const build = await buildOf(change.project, paths, { ...watched.reading, counter })
      const report = await writeBuild(build, file, manifest, options)
      const changed = JSON.stringify([build.manifest.digest, report.missing])
      if (changed === told || (report.ok && report.changes?.length === 0)) return
      told = changed
      if (report.file !== null) manifest = build.manifest
      if (options.json === true) context.stdout.write(jsonText(report, 0))
      else if (report.file === null) {
        for (const { message } of report.missing) {
          context.stderr.write(`loadout: ${sanitiseLine(message)}\n`)
        }
        context.stderr.write(nothingWritten(report))
      } else for (const one of report.changes ?? []) say(changeLine(one, context))
    })
    turn = turn.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      context.stderr.write(`loadout: ${sanitiseLine(message)}\n`)
    })
  })
  await new Promise<void>((done) => context.onInterrupt(done))
  stop()
  await watch.close()
  await turn
}
