import type { BuildStage } from '../../project/manifest/build-project.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { progressLine } from '../shell/progress-line.ts'

const WORDS: Readonly<Record<BuildStage, string>> = {
  read: 'Reading definitions',
  count: 'Counting tokens',
  write: 'Writing',
}

/** The progress line of a build: what stage it is at. */
export function buildProgress(context: Pick<CliContext, 'stderr'>) {
  const line = progressLine(context)
  return {
    onProgress: (stage: BuildStage, done?: number, of?: number) =>
      line.show(WORDS[stage], done, of),
    end: line.end,
  }
}
