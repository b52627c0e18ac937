import { afterEach, expect, test } from 'vitest'
import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { aTool, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const opened: VirtualWorkspace[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
})

/** A session with two servers that ask during their calls: one as often, and with texts as long, as it is given. */
async function aSession() {
  let time = 0
  const clock = { now: () => time, monotonic: () => time }
  const client = { elicit: async () => ({ action: 'decline' as const }) }
  const workspace = await aWorkspace({}, { testing: { clock }, log: createMemoryLog(), client })
  opened.push(workspace)
  const asks = { questions: 1, characters: 10 }
  const refused: string[] = []
  const flooding = new MemoryServer('s', [aTool('s_ask')], { trusted: true })
  const calm = new MemoryServer('t', [aTool('t_ask')], { trusted: true })
  const schema = { type: 'object', properties: {} } as const
  flooding.onCall = async (_tool, context) => {
    for (let at = 0; at < asks.questions; at += 1) {
      const message = 'x'.repeat(asks.characters)
      await context.elicit({ message, schema }).catch((error) => refused.push(String(error)))
    }
  }
  calm.onCall = async (_tool, context) => void (await context.elicit({ message: 'Now?', schema }))
  for (const server of [flooding, calm]) {
    expect(await workspace.attach(server)).toMatchObject({ ok: true })
  }
  const entries = async (type: string) =>
    (await workspace.entries()).filter(({ event }) => event.type === type)
  const pass = (ms: number) => void (time += ms)
  return { workspace, flooding, asks, refused, entries, pass }
}

const SIZES = [
  ['long', { questions: 7, characters: 60_000 }, 13],
  ['short', { questions: 19, characters: 10 }, 400],
  ['of a middle size', { questions: 15, characters: 9_000 }, 86],
] as const

test.each(SIZES)(
  'questions that are %s have one budget over the calls and connections of a server',
  async (_size, many, most) => {
    const { workspace, flooding, asks, refused, entries, pass } = await aSession()
    Object.assign(asks, many)
    for (let call = 0; call < 30; call += 1) {
      if (call % 5 === 0 && call < 20) flooding.lose()
      expect(await workspace.callTool('s_ask', {})).toMatchObject({ ok: true })
    }
    const asked = await entries('confirmation.asked')
    expect(asked).toHaveLength(most)
    expect(JSON.stringify(asked).length).toBeLessThan(1_048_576)
    expect(refused).toHaveLength(30 * many.questions - most)
    const [warning, ...others] = await entries('warning.given')
    expect(others).toEqual([])
    expect(warning?.event).toMatchObject({ code: 'server-floods', subject: 's' })
    // The other server asks as before, and this one when the minute is over.
    expect(await workspace.callTool('t_ask', {})).toMatchObject({ ok: true })
    pass(60_000)
    await workspace.callTool('s_ask', {})
    expect(await entries('confirmation.asked')).toHaveLength(most + 1 + many.questions)
  },
)
