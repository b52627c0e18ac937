import { CALL_RULES } from './call-rules.ts'
import { MESSAGE_RULES } from './message-rules.ts'
import { GEMINI_RULES } from './gemini-rules.ts'
import type { RequestRule } from './request-rule.ts'
import { SCHEMA_RULES } from './schema-rules.ts'
import { TOOL_RULES } from './tool-rules.ts'

/** Every rule that types cannot say. A name may have one rule for each provider. */
export const REQUEST_RULES: readonly RequestRule[] = [
  ...TOOL_RULES,
  ...SCHEMA_RULES,
  ...CALL_RULES,
  ...MESSAGE_RULES,
  ...GEMINI_RULES,
]
