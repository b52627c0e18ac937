import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { expect, onTestFinished, test } from 'vitest'
import { servePage } from '../../../../src/workbench/playground/page/serve-page.ts'
import { WORDS } from '../words.ts'
import { aSession } from './a-session.ts'

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function aServer(given?: VirtualWorkspace) {
  const workspace = given ?? (await aSession())
  const server = await servePage({ workspace, counter: WORDS })
  onTestFinished(async () => {
    await server.close()
    await workspace.close()
  })
  const { port, pathname: home } = new URL(server.url)
  const ask = async ({ method = 'GET', path = home, headers = {} }: Asked = {}) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
  }
  const opened = async () => {
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { workspace, server, port, home, ask, opened }
}

test('the address with its token serves the page, under its policy, and nobody may keep it', async () => {
  const { ask, server } = await aServer()
  const { status, headers, body } = await ask()
  expect(status).toBe(200)
  expect(body).toContain('<title>Loadout session a-session</title>')
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/,
  )
  const again = await servePage({ workspace: (await aServer()).workspace, counter: WORDS })
  onTestFinished(() => again.close())
  expect(new URL(again.url).pathname).not.toBe(new URL(server.url).pathname)
})

test.each<[string, number, (home: string) => Asked]>([
  ['another host', 403, () => ({ headers: { host: 'evil.example' } })],
  ['another port of the host', 403, () => ({ headers: { host: '127.0.0.1:1' } })],
  ['another origin', 403, () => ({ headers: { origin: 'https://evil.example' } })],
  ['an opaque origin', 403, () => ({ headers: { origin: 'null' } })],
  ['no token', 404, () => ({ path: '/' })],
  [
    'a wrong token',
    404,
    (home) => ({ path: `${home.slice(0, -2)}${home.at(-2) === 'x' ? 'y' : 'x'}/` }),
  ],
  ['the token without the end of the path', 404, (home) => ({ path: home.slice(0, -1) })],
  ['a path upwards', 404, (home) => ({ path: `${home}../../etc/passwd` })],
  ['an encoded path upwards', 404, (home) => ({ path: `${home}%2e%2e/%2e%2e/etc/passwd` })],
  ['a query', 404, (home) => ({ path: `${home}?x=1` })],
  ['a whole address as the path', 404, (home) => ({ path: `http://127.0.0.1${home}` })],
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map(
    (method): [string, number, () => Asked] => [method, 405, () => ({ method })],
  ),
])('%s is refused with %i, and nothing is written', async (_what, status, asked) => {
  const { ask, home, workspace } = await aServer()
  const before = await workspace.entries()
  const answer = await ask(asked(home))
  expect(answer.status).toBe(status)
  expect(answer.body).not.toContain('a-session')
  expect(await workspace.entries()).toEqual(before)
})

test('a change of the session has another number, and is in the page from then on', async () => {
  const { ask, home, workspace } = await aServer()
  const newest = async () => (await ask({ path: `${home}newest` })).body
  const before = await newest()
  expect((await ask()).body).toContain(`"newest":"${before}"`)
  await workspace.activateSkill('owls', { by: 'user' })
  expect(await newest()).not.toBe(before)
  const { body } = await ask()
  expect(body).toContain(`"newest":"${await newest()}"`)
  expect(body).toContain(`data-seq="${await newest()}"`)
})

test('HEAD has no body', async () => {
  const { ask } = await aServer()
  expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
})

test('a reader that takes nothing, and requests that do not end, stop nobody else', async () => {
  const { ask, opened, home, port } = await aServer()
  for (let slow = 0; slow < 10; slow += 1) {
    const socket = await opened()
    socket.pause()
    socket.write(
      `GET ${home} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${slow % 2 === 0 ? '\r\n' : ''}`,
    )
  }
  expect((await ask()).status).toBe(200)
})

test('connections above the limit are closed, and there is room again when others end', async () => {
  const { ask, opened } = await aServer()
  const first = await opened()
  for (let more = 1; more < 32; more += 1) await opened()
  const above = await opened()
  await once(above.resume(), 'close')
  first.end()
  await once(first.resume(), 'close')
  expect((await ask()).status).toBe(200)
})

test('closing the server ends the connections of its readers', async () => {
  const workspace = await aSession()
  onTestFinished(() => workspace.close())
  const server = await servePage({ workspace, counter: WORDS })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket.resume(), 'close')
  await server.close()
  await ended
  expect(socket.destroyed).toBe(true)
})

test('the page of a session that was deleted says so, and keeps its last state', async () => {
  const log = createMemoryLog()
  const { ask, home } = await aServer(await aSession(log))
  expect((await ask({ path: `${home}newest` })).status).toBe(200)
  await log.delete('a-session')
  for (const path of [`${home}newest`, home]) {
    expect(await ask({ path })).toMatchObject({ status: 410, body: 'The session was deleted.\n' })
  }
})
