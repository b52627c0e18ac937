import { join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventLogContract } from '../../src/entries/testing.ts'
import { PROJECT } from '../../scripts/run-command.ts'
import type { Tree } from '../workbench/project/temporary-folder.ts'
import { installed } from './installed.ts'
import { bundle, installRuntimes, type Miniflare } from './install-runtimes.ts'

const EXAMPLE = join(PROJECT, 'examples/durable-object')

const example: Tree = Object.fromEntries(
  readdirSync(EXAMPLE)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(EXAMPLE, name), 'utf8')]),
)

/** Runs one law of the contract, in an object of its own. */
const LAWS = `
  import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'
  import * as chai from 'chai'
  import { eventLogContract } from 'loadout/testing'
  import { durableObjectLog } from './durable-object-log.ts'

  for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

  export class Laws {
    constructor({ storage }) { this.storage = storage }

    async fetch(request) {
      const laws = new Map()
      const tools = { describe: (_, body) => body(), test: (law, body) => laws.set(law, body), expect: chai.expect }
      const create = async () => {
        for (const table of ['entry', 'definition', 'snapshot']) this.storage.sql.exec('DROP TABLE IF EXISTS ' + table)
        return { log: durableObjectLog(this.storage), again: async () => durableObjectLog(this.storage) }
      }
      eventLogContract(tools, 'log', { create, sessions: 'many', follows: true })
      try {
        await laws.get(await request.text())()
        return new Response('')
      } catch (error) {
        return new Response(error.stack)
      }
    }
  }

  export default {
    async fetch(request, { OBJECT }) {
      const law = await request.text()
      return OBJECT.get(OBJECT.idFromName(law)).fetch('http://object', { method: 'POST', body: law })
    },
  }
`

let open: (module: string, className: string) => Promise<Miniflare>
let laws: Miniflare

beforeAll(async () => {
  const runtimes = installRuntimes()
  const { folder } = await installed([], { ...example, 'laws.mjs': LAWS })
  open = async (module, className) =>
    new runtimes.Miniflare({
      modules: true,
      script: await bundle(runtimes, folder, module, 'workerd', [runtimes.packages]),
      compatibilityDate: '2026-07-01',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: {
        [module === 'laws.mjs' ? 'OBJECT' : 'CHAT']: { className, useSQLite: true },
      },
      durableObjectsPersist: join(folder, 'objects'),
    })
  laws = await open('laws.mjs', 'Laws')
})

afterAll(() => laws.dispose())

const names: string[] = []
eventLogContract({ describe: (_, body) => body(), test: (law) => names.push(law), expect }, 'log', {
  create: () => Promise.reject(new Error('It is not run here.')),
  sessions: 'many',
  follows: true,
})

test.each(names)('in a Durable Object, a log %s', async (law) => {
  const response = await laws.dispatchFetch('http://localhost/', { method: 'POST', body: law })
  expect(await response.text()).toBe('')
})

test('a session continues in an object whose process was restarted', async () => {
  const ask = async (worker: Miniflare, path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await worker.dispatchFetch(`http://localhost/ada/${path}`, init)
    return (await response.json()) as Record<string, unknown>
  }
  const first = await open('worker.ts', 'Chat')
  const before = await ask(first, 'why/refund')
  expect(before).toMatchObject({ why: { status: 'skill-inactive' } })
  expect(await ask(first, 'activate/refunds')).toMatchObject({ ok: true })
  const { seq } = await ask(first, 'why/refund')
  await first.dispose()

  const second = await open('worker.ts', 'Chat')
  try {
    expect(await ask(second, 'why/refund')).toMatchObject({ seq, why: { status: 'available' } })
    expect(await ask(second, 'call/refund', { order: '7' })).toMatchObject({
      ok: true,
      data: 'Order 7 is paid back.',
    })
    expect(await ask(second, 'why/refund')).toMatchObject({ seq: Number(seq) + 2 })
  } finally {
    await second.dispose()
  }
})
