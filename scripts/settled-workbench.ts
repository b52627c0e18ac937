import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './run-command.ts'

/**
 * A copy of the workbench in a folder that has the same name on every machine. The prompt names
 * the folders of skills, so what a frame counts depends on where the workbench stands.
 *
 * @param purpose part of the folder's name, so that two that take frames do not meet
 * @returns the folder the copy `workbench` stands in
 */
export function settledWorkbench(purpose: string): string {
  const folder = join('/tmp', `loadout-${purpose}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(PROJECT, 'examples', 'workbench'), join(folder, 'workbench'), { recursive: true })
  return folder
}
