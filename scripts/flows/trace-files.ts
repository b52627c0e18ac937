import { Session } from 'node:inspector/promises'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Records which files are entered while an operation runs. */
export interface FileTrace {
  /**
   * Runs an operation and returns the files below `src` of which the body of a function ran, sorted.
   * A file that is only loaded does not count.
   */
  trace(operation: () => unknown): Promise<readonly string[]>
  close(): void
}

/** Starts to record the functions that this process runs. Modules loaded before are recorded, too. */
export async function startTrace(root: string): Promise<FileTrace> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    async trace(operation) {
      await inspector.post('Profiler.takePreciseCoverage')
      const outcome = await operation()
      if (hasFailed(outcome)) {
        throw new Error(`A traced operation failed: ${JSON.stringify(outcome)}`)
      }
      const { result } = await inspector.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.startsWith('file:'))
        .filter(({ functions }) => functions.some(isEnteredFunction))
        .map(({ url }) => relative(root, fileURLToPath(url)).split(sep).join('/'))
        .filter((path) => path.startsWith('src/'))
        .sort()
    },
    close: () => inspector.disconnect(),
  }
}

function hasFailed(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok !== true
}

interface CoveredFunction {
  readonly functionName: string
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
}

/** The first nameless function of a module is the module itself: it runs when the file is loaded. */
function isEnteredFunction({ functionName, ranges }: CoveredFunction): boolean {
  const isModule = functionName === '' && ranges[0]?.startOffset === 0
  return !isModule && ranges.some(({ count }) => count > 0)
}
