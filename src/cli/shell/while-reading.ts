import type { LoadOptions } from '../../project/walk/load-options.ts'
import type { CliContext } from './cli-context.ts'
import { PATIENCE_MS, type ProgressLine, progressLine } from './progress-line.ts'

/**
 * Read definitions, with progress on a terminal when it takes long; gone once they are read. What is
 * done with them meanwhile can say so on the same line.
 */
export async function whileReading<T>(
  context: Pick<CliContext, 'stderr'>,
  read: (onFolder: NonNullable<LoadOptions['onFolder']>, line: ProgressLine) => Promise<T>,
): Promise<T> {
  const line = progressLine(context, { after: PATIENCE_MS })
  try {
    return await read((done, of) => line.show('Reading definitions', done, of), line)
  } finally {
    line.end()
  }
}
