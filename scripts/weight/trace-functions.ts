import { Session } from 'node:inspector/promises'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function below `src` that ran. */
export interface EnteredFunction {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  /** Empty for a function without a name. */
  readonly name: string
  readonly calls: number
}

/** Records which functions are entered while an operation runs. */
export interface FunctionTrace {
  /** Runs an operation and returns the functions that it entered, most calls first. Loading a file does not count. */
  trace(operation: () => unknown): Promise<readonly EnteredFunction[]>
  close(): void
}

/** Starts to record the functions that this process runs. Modules loaded before are recorded, too. */
export async function startTrace(root: string): Promise<FunctionTrace> {
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
        .flatMap(({ url, functions }) => {
          const path = relative(root, fileURLToPath(url)).split(sep).join('/')
          if (!path.startsWith('src/')) return []
          return functions.filter(isEnteredFunction).map(({ functionName, ranges }) => ({
            path,
            name: functionName,
            calls: ranges[0]?.count ?? 0,
          }))
        })
        .toSorted((one, other) => other.calls - one.calls || compare(one, other))
    },
    close: () => inspector.disconnect(),
  }
}

function compare(one: EnteredFunction, other: EnteredFunction): number {
  const [a, b] = [`${one.path} ${one.name}`, `${other.path} ${other.name}`]
  return a < b ? -1 : Number(a > b)
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
  return !isModule && (ranges[0]?.count ?? 0) > 0
}
