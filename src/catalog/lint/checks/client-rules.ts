import { CLIENT_FILE_RULES } from './client-file-rules.ts'
import { CLIENT_NAME_RULES } from './client-name-rules.ts'
import type { ClientRule } from './client-rule.ts'
import { CLIENT_TEXT_RULES } from './client-text-rules.ts'

/** What known clients ask of a skill beside the specification, by code. */
export const CLIENT_RULES: Readonly<Record<string, ClientRule>> = {
  ...CLIENT_NAME_RULES,
  ...CLIENT_TEXT_RULES,
  ...CLIENT_FILE_RULES,
}
