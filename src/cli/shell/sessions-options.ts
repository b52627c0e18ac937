import type { Option } from 'commander'
import { jsonOption, logOption } from './common-options.ts'

/** What every command about sessions takes. */
export interface SessionsOptions {
  readonly log?: string
  readonly json?: true
}

export function sessionsOptions(): readonly Option[] {
  return [logOption(), jsonOption()]
}
