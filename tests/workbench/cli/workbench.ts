import { join } from 'node:path'

/** The example every command is tried on. */
export const WORKBENCH = join(import.meta.dirname, '../../../examples/workbench')
