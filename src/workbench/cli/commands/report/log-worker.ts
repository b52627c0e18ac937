import { ExchangeRedactor } from '../../../../connections/observed/recording/exchange-redactor.ts'
import { referencedDefinitions } from '../../../../entries/adapter.ts'
import type { ContentHash, JsonValue } from '../../../../entries/index.ts'
import { thrownMessage } from '../../../../entries/kit.ts'
import { o200kCounter } from '../../../../entries/plan.ts'
import { secretsFromEnvironment } from '../../../project/config/environment-variables.ts'
import { userHome } from '../../../project/walk/user-home.ts'
import type { SessionUsage } from '../../../report/usage/session-usage.ts'
import { summariseSession } from '../../../report/usage/summarise-session.ts'
import { openLog } from '../../opening/open-log.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import type { FoundLog } from './find-logs.ts'
import { keepUsage } from './kept-usage.ts'

/** A log to read, and the folder in which its summaries are kept. */
export interface ReadRequest {
  readonly log: FoundLog
  readonly state: string | null
}

export type ReadReply = { readonly sessions: readonly SessionUsage[] } | { readonly error: string }

/** Answers requests of the process that started this one, until it ends. */
export function logWorker(): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (request: ReadRequest) => {
    void readLog(request)
      .then(
        (sessions): ReadReply => ({ sessions }),
        (error: unknown): ReadReply => ({ error: thrownMessage(error) }),
      )
      .then((reply) => process.send?.(reply))
  })
}

/** Reads the sessions of a log, and keeps their summaries. */
async function readLog(request: ReadRequest): Promise<readonly SessionUsage[]> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await readSessions(request, (end) => ends.unshift(end))
  } finally {
    for (const end of ends) await end()
  }
}

async function readSessions(
  { log: found, state }: ReadRequest,
  onEnd: (end: () => Promise<void>) => void,
): Promise<readonly SessionUsage[]> {
  const { env } = process
  const context = { cwd: process.cwd(), env, home: userHome() }
  const open = await openLog(found.log, { purpose: 'look' }, { ...context, onEnd })
  if (open === null) throw wrongUsage('It has no sessions.', 'Give a log.')
  const counter = await o200kCounter()
  const secrets = secretsFromEnvironment(env)
  const redactor = new ExchangeRedactor(
    { secrets, secretsIn: secretsFromEnvironment },
    () => HIDDEN,
  )
  const redact = (text: string) => redactor.text(text)
  const sessions: SessionUsage[] = []
  for (const { session } of await open.log.list()) {
    const entries = await open.log.read(session)
    const stored = new Map<ContentHash, JsonValue>()
    for await (const [hash, value] of referencedDefinitions(open.log, entries, new Set()))
      stored.set(hash, value)
    const usage = summariseSession(entries, {
      stored,
      redact,
      count: (text) => counter.count(text),
    })
    // Names, descriptions and changed lines are texts of others, too.
    const hidden: SessionUsage = JSON.parse(JSON.stringify(usage), (_, value: unknown) =>
      typeof value === 'string' ? redact(value) : value,
    )
    sessions.push(hidden)
  }
  // A folder that cannot be written makes the next run slower, and no other.
  await keepUsage(state, found, sessions).catch(() => undefined)
  return sessions
}

const HIDDEN = '[redacted]'

if (process.send !== undefined) logWorker()
