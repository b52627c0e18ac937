import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../../../scripts/conformance/server-suites.ts'
import { startPostgres } from '../../../../scripts/start-postgres.ts'
import { textsOf } from './served.ts'

/** The places of a log, by the name of the store. */
const LOGS = {
  async SQLite() {
    const folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-served-'))
    onTestFinished(() => folder.remove())
    return join(folder.path, 'sessions.sqlite')
  },
  async PostgreSQL() {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    return server.url
  },
}

async function connected(url: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return client
}

async function called(client: Client, name: string, given: object) {
  const result = await client.callTool({ name, arguments: { ...given } })
  const { 'loadout/session': session } = (result._meta ?? {}) as Record<string, string | undefined>
  return { session, text: textsOf(result).join('\n'), isError: result.isError === true }
}

const SKILL = { skillName: 'paper-forms' }

const FORM = { ...SKILL, path: 'references/fields.md' }

test.each(Object.entries(LOGS))(
  '%s: two clients continue their sessions after the server was killed',
  async (_, place) => {
    const log = await place()
    const first = await startServer(log)
    const [ada, bob] = await Promise.all([connected(first.url), connected(first.url)])
    const [loaded, found] = await Promise.all([
      called(ada, 'loadSkill', SKILL),
      called(bob, 'tool_search', { query: 'forms' }),
    ])
    expect(loaded.session).not.toBe(found.session)
    await first.end('SIGKILL')

    const second = await startServer(log)
    onTestFinished(() => second.end())
    const [later, other] = await Promise.all([connected(second.url), connected(second.url)])
    const [read, refused] = await Promise.all([
      called(later, 'loadSkillFile', { ...FORM, session: loaded.session }),
      called(other, 'loadSkillFile', { ...FORM, session: found.session }),
    ])
    // The skill is active in the session of the first client only.
    expect(read).toMatchObject({ isError: false })
    expect(refused).toMatchObject({ isError: true })
    await called(other, 'loadSkill', { ...SKILL, session: found.session })
    expect(await called(other, 'loadSkillFile', { ...FORM, session: found.session })).toEqual({
      ...read,
      session: found.session,
    })
  },
)
