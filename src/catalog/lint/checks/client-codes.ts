import { CLIENT_RULES } from './client-rules.ts'
import type { DiagnosticGroup } from '../codes/diagnostic-group.ts'

/** Limits of clients that the specification does not have. */
export const CLIENT_CODES: DiagnosticGroup = {
  title: 'Clients',
  origin:
    'What the documentation or source of known clients asks beside the specification. Limits that they share with it (64 and 1,024 characters, the name of the folder) have its codes.',
  level: 'portable',
  codes: CLIENT_RULES,
}
