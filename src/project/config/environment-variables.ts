import { type EnvironmentSelection, selectEnvironment } from '../../kernel/substitute-variables.ts'

/** The variables of this process's environment that a selection allows, and no other. */
export function environmentVariables(selection: EnvironmentSelection): ReadonlyMap<string, string> {
  return selectEnvironment(process.env, selection)
}
