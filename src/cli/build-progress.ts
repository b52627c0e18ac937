import type { BuildStage } from '../adapters/disk/build/build-project.ts'
import type { CliContext } from './cli-context.ts'

/** Milliseconds between two lines of progress. */
const EVERY_MS = 80

const WORDS: Readonly<Record<BuildStage, string>> = {
  read: 'Reading definitions',
  count: 'Counting tokens',
  write: 'Writing',
}

/**
 * Shows what a build is doing in one line of a terminal, and takes it away at the end. Where stderr
 * is no terminal nothing is written at all.
 */
export function buildProgress({ stderr }: Pick<CliContext, 'stderr'>) {
  const isTerminal = stderr.isTTY === true
  let last = -Infinity
  let shown: BuildStage | null = null
  return {
    onProgress(stage: BuildStage, done?: number, of?: number): void {
      const now = performance.now()
      if (!isTerminal || (stage === shown && now - last < EVERY_MS)) return
      last = now
      shown = stage
      const part = of === undefined || done === undefined ? '' : ` ${done} of ${of}`
      stderr.write(`\r\u001b[2K${WORDS[stage]}…${part}`)
    },
    end(): void {
      if (shown !== null) stderr.write('\r\u001b[2K')
      shown = null
    },
  }
}
