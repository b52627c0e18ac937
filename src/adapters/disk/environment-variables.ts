import { selectEnvironment } from '../../kernel/variables.ts'
import type { EnvironmentSelection } from './config.ts'

/** The variables of this process's environment that a selection allows, and no other. */
export function environmentVariables({
  names = [],
  prefix,
}: EnvironmentSelection): ReturnType<typeof selectEnvironment> {
  return selectEnvironment(process.env, { names, ...(prefix !== undefined && { prefix }) })
}
