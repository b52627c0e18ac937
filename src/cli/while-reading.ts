import type { LoadOptions } from '../adapters/disk/load-options.ts'
import type { CliContext } from './cli-context.ts'
import { progressLine } from './progress-line.ts'

/** Milliseconds that reading may take before it is told of. */
const PATIENCE_MS = 150

/** Read definitions, with progress on a terminal when it takes long; gone once they are read. */
export async function whileReading<T>(
  context: Pick<CliContext, 'stderr'>,
  read: (onFolder: NonNullable<LoadOptions['onFolder']>) => Promise<T>,
): Promise<T> {
  const line = progressLine(context, { after: PATIENCE_MS })
  try {
    return await read((done, of) => line.show('Reading definitions', done, of))
  } finally {
    line.end()
  }
}
