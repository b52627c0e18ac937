import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/** What was going on when PostgreSQL failed. */
export type Operation = 'reading' | 'writing'

/** Node's codes for a connection that was not, or is no longer. */
const NETWORK: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** What the driver says, without a code, of a connection that was lost or took too long. */
const LOST: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
])

/** Server states of a moment: starting up, shutting down, killed a process, has no room. */
const TRANSIENT: ReadonlySet<string> = new Set(['53300', '57P01', '57P02', '57P03', '57P05'])

/** Transactions that another one stood in the way of: they did nothing and may be tried again. */
const SERIALIZATION_FAILURES: ReadonlySet<string> = new Set(['40001', '40P01'])

const HINTS: Readonly<Record<string, string>> = {
  '22P05': 'The database cannot hold every text: make it with the encoding UTF8.',
  '25006': 'This server only reads: name the primary one.',
  '28000': 'Check user, password and the rules of the server.',
  '28P01': 'Check user and password.',
  '3D000': 'Make the database first; the schema in it is made for you.',
  '3F000': 'The schema was dropped while the log was open: open it again.',
  '42501': 'Give the user the right to use the schema, and to create it the first time.',
  '42P01': 'Tables were dropped while the log was open: open it again.',
  '53100': 'The disk of the server is full: free some space.',
  '54000': 'An entry is larger than PostgreSQL takes: keep large values elsewhere.',
  '57014': 'The server took longer than `statementTimeoutMs`, or somebody cancelled it.',
}

/** Whether a server may answer in a moment: the connection was lost, or it is not ready. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const reason = codeOf(error)
  if (reason === null) return LOST.has(error.message)
  return NETWORK.has(reason) || TRANSIENT.has(reason) || reason.startsWith('08')
}

/** Whether a transaction was given up for another one's sake. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && SERIALIZATION_FAILURES.has(codeOf(error) ?? '')
}

/** The error for a server that was not reached, for as long as it was tried. */
export function unreachableError(
  place: string,
  error: unknown,
  facts: Readonly<Record<string, unknown>>,
): WorkspaceError {
  const reason = error instanceof Error ? (codeOf(error) ?? error.message) : String(error)
  return new WorkspaceError('LOG_UNREACHABLE', `${place} cannot be reached: ${reason}.`, {
    facts: { place, reason, ...facts },
    hint: 'Check that the server runs and takes connections, and try again.',
    cause: error,
  })
}

/** Put an error of PostgreSQL into ours; any other is given back as it is. */
export function postgresFailure(place: string, doing: Operation, error: unknown): unknown {
  const reason = error instanceof Error ? codeOf(error) : null
  if (reason === null || !isState(reason) || WorkspaceError.is(error)) return error
  const [kind, verb] =
    doing === 'reading' ? ['LOG_UNREADABLE', 'read'] : ['LOG_WRITE_FAILED', 'written']
  const said = error instanceof Error ? error.message : ''
  return new WorkspaceError(kind, `${place} cannot be ${verb}: ${said} (${reason}).`, {
    facts: { place, reason },
    hint: HINTS[reason] ?? 'The code is one of PostgreSQL: look it up in its manual.',
    cause: error,
  })
}

/** PostgreSQL's state or Node's code; null when there is none. */
function codeOf(error: Error): string | null {
  if (error instanceof AggregateError) {
    const [first] = error.errors as readonly unknown[]
    if (first instanceof Error) return codeOf(first)
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !NETWORK.has(code)
}
