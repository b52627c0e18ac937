import { CATALOG_CODES } from './codes/catalog-codes.ts'
import { CLIENT_CODES } from './checks/client-codes.ts'
import { DEFINITION_CODES } from './codes/definition-codes.ts'
import type { DiagnosticGroup } from './codes/diagnostic-group.ts'
import { FILE_CODES } from './codes/file-codes.ts'
import { NATIVE_CODES } from './codes/native-codes.ts'
import { OTHER_CODES } from './other-codes.ts'
import { PROJECT_CODES } from './codes/project-codes.ts'
import { READING_CODES } from './codes/reading-codes.ts'
import { SPECIFICATION_CODES } from './codes/specification-codes.ts'

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
