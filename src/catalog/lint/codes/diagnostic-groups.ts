import { CATALOG_CODES } from './catalog-codes.ts'
import { CLIENT_CODES } from './client-codes.ts'
import { DEFINITION_CODES } from './definition-codes.ts'
import type { DiagnosticGroup } from './diagnostic-group.ts'
import { FILE_CODES } from './file-codes.ts'
import { NATIVE_CODES } from './native-codes.ts'
import { OTHER_CODES } from './other-codes.ts'
import { PROJECT_CODES } from './project-codes.ts'
import { READING_CODES } from './reading-codes.ts'
import { SPECIFICATION_CODES } from './specification-codes.ts'

/**
 * Every code that a diagnostic may have, by where it comes from. docs/diagnostics.md is written
 * from it, and a test holds it against what the source emits: codes are stable, so one that is not
 * here is a mistake.
 */
export const DIAGNOSTIC_GROUPS: readonly DiagnosticGroup[] = [
  SPECIFICATION_CODES,
  FILE_CODES,
  READING_CODES,
  CLIENT_CODES,
  DEFINITION_CODES,
  CATALOG_CODES,
  PROJECT_CODES,
  NATIVE_CODES,
  OTHER_CODES,
]
