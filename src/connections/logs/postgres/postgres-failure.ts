import { WorkspaceError } from '../../../entries/index.ts'

/** The operation during which PostgreSQL failed. */
export type Operation = 'reading' | 'writing'

/** Node's error codes for a connection that was not made, or was lost. */
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

/** Messages of the driver, which have no code, for a connection that was lost or took too long. */
const LOST: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
])

/**
 * States of a server that pass: starting up, shutting down, a killed process, no free connection.
 */
const TRANSIENT: ReadonlySet<string> = new Set(['53300', '57P01', '57P02', '57P03', '57P05'])

/** Transactions that failed because of a concurrent one. They changed nothing. */
const CONCURRENT: ReadonlySet<string> = new Set(['40001', '40P01'])

const HINTS: Readonly<Record<string, string>> = {
  '22P05': 'The database cannot store every text. Create it with the encoding UTF8.',
  '25006': 'This server is read-only. Give the address of the primary server.',
  '28000': 'Check the user, the password and the access rules of the server.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database first. The schema is created for you.',
  '3F000': 'The schema was dropped while the log was open. Open the log again.',
  '42501': 'Grant the user the right to use the schema, and to create it the first time.',
  '42P01': 'Tables were dropped while the log was open. Open the log again.',
  '53100': 'The disk of the server is full. Free some space.',
  '54000': 'An entry is larger than PostgreSQL allows. Store large values elsewhere.',
  '57014': 'The statement took longer than the time limit, or it was cancelled.',
}

/**
 * Returns true when a retry may succeed: the connection was lost, the server is not ready, or the transaction failed
 * because of a concurrent one.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const reason = sqlCode(error)
  if (reason === null) return LOST.has(error.message)
  return (
    [NETWORK, TRANSIENT, CONCURRENT].some((codes) => codes.has(reason)) || reason.startsWith('08')
  )
}

/** The error for a server that could not be reached within the retry time. */
export function unreachableError(
  place: string,
  error: unknown,
  facts: Readonly<Record<string, unknown>>,
): WorkspaceError {
  const reason = error instanceof Error ? (sqlCode(error) ?? error.message) : String(error)
  return new WorkspaceError('LOG_UNREACHABLE', `${place} cannot be reached: ${reason}.`, {
    facts: { place, reason, ...facts },
    hint: 'Check that the server runs and accepts connections, then try again.',
    cause: error,
  })
}

/** Translates an error of PostgreSQL into a `WorkspaceError`; returns any other error unchanged. */
export function postgresFailure(place: string, doing: Operation, error: unknown): unknown {
  const reason = error instanceof Error ? sqlCode(error) : null
  const isState = reason !== null && /^[0-9A-Z]{5}$/.test(reason) && !NETWORK.has(reason)
  if (!isState || WorkspaceError.is(error)) return error
  const [kind, verb] =
    doing === 'reading' ? ['LOG_UNREADABLE', 'read'] : ['LOG_WRITE_FAILED', 'written']
  const message = error instanceof Error ? error.message : ''
  return new WorkspaceError(kind, `${place} cannot be ${verb}: ${message} (${reason}).`, {
    facts: { place, reason },
    hint: HINTS[reason] ?? 'Look up the error code in the PostgreSQL manual.',
    cause: error,
  })
}

/** Returns PostgreSQL's state or Node's error code; null when the error has none. */
function sqlCode(error: Error): string | null {
  if (error instanceof AggregateError) {
    const [first] = error.errors as readonly unknown[]
    if (first instanceof Error) return sqlCode(first)
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
