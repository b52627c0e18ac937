import type { DataContext } from '../../lib/data-context.ts'
import { openData, type DataSource } from '../../lib/open-data.ts'
import type { OpenTable } from '../../lib/session-tables.ts'

export async function execute(input: DataSource, context: DataContext): Promise<OpenTable> {
  return openData(input, context)
}
