import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { chatFile, openChatStore } from '../../../src/workbench/playground/chat/chat-store.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { someEntries } from '../../../src/connections/logs/contract/event-log-case.ts'
import { runCommand } from './run-command.ts'

const CHILD = fileURLToPath(new URL('./prune-in-child.ts', import.meta.url))

/** Prunes in a process that ends after so many writes. Returns false when there were fewer. */
async function pruneUpTo(log: string, writes: number): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, log, `${writes}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(code ?? 0).toBe(0)
  return signal === 'SIGKILL'
}

test('the messages of sessions are deleted although the process that pruned ended after any of its writes', async () => {
  const cwd = await temporaryFolder({})
  const prune = async (log: string) => {
    const { stdout } = await runCommand(['sessions', 'prune', '--log', log, '--json'], { cwd })
    return JSON.parse(stdout)
  }
  let writes = 0
  for (let isCut = true; isCut;) {
    writes += 1
    const place = join(cwd, `${writes}.sqlite`)
    const chats = `${place}.chats`
    const log = await openSqliteLog(place)
    for (const session of ['old', 'older']) {
      await log.append(session, 0, someEntries(0, 2))
      openChatStore({ folder: chats, user: null }, session).append([
        { role: 'user', content: 'xyzzy' },
      ])
    }
    const [entry] = someEntries(0, 1)
    if (entry !== undefined) await log.append('new', 0, [{ ...entry, at: Date.now() }])
    openChatStore({ folder: chats, user: null }, 'new').append([{ role: 'user', content: 'hello' }])
    await log.close()

    isCut = await pruneUpTo(place, writes)
    await prune(place)
    const again = await openSqliteLog(place)
    const sessions = (await again.list()).map(({ session }) => session)
    await again.close()
    const files = sessions.map((session) => chatFile(chats, session))
    expect((await readdir(chats)).map((name) => join(chats, name)).toSorted()).toEqual(
      files.toSorted(),
    )
    expect(sessions).toContain('new')
    expect(await prune(place)).toMatchObject({ sessions: [], conversations: 0 })
  }
  // At least: the sessions, and the messages of each.
  expect(writes).toBeGreaterThan(3)
})
