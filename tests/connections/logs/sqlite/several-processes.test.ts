import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

const CHILD = fileURLToPath(new URL('./append-in-child.ts', import.meta.url))
const EACH = 1_000

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
  file = join(folder, 'sessions.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

function startWriter(name: string, count: number) {
  return spawn(process.execPath, [CHILD, '--file', file, '--name', name, '--count', `${count}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test.each([{ writers: 2 }, { writers: 8 }])(
  `$writers processes append ${EACH} entries each to one session: none is lost, doubled or moved`,
  async ({ writers }) => {
    const names = Array.from({ length: writers }, (_, index) => `writer ${index}`)
    const acknowledged = await Promise.all(
      names.map(async (name) => {
        const lines: number[] = []
        const { stdout } = startWriter(name, EACH)
        for await (const line of createInterface({ input: stdout })) lines.push(Number(line))
        return lines
      }),
    )
    await using log = await openSqliteLog(file)
    const entries = await log.read('s1')
    expect(entries).toHaveLength(writers * EACH)
    for (const [index, name] of names.entries()) {
      const own = acknowledged[index] ?? []
      expect(own).toHaveLength(EACH)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
      expect(own.map((seq) => entries[seq])).toEqual(
        own.flatMap((seq) => someEntries(seq, seq + 1, name)),
      )
    }
  },
)

test('a writer that is killed, twenty times, loses nothing that was acknowledged', async () => {
  let whole = 0
  for (let kill = 0; kill < 20; kill += 1) {
    const child = startWriter('w', 1_000_000)
    let acknowledged = -1
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged >= whole + kill * 3) child.kill('SIGKILL')
    }
    expect(acknowledged).toBeGreaterThanOrEqual(whole + kill * 3)
    await using log = await openSqliteLog(file)
    const entries = await log.read('s1')
    expect(entries.length).toBeGreaterThan(acknowledged)
    expect(entries).toEqual(someEntries(0, entries.length, 'w'))
    whole = entries.length
  }
  expect(readdirSync(folder)).toEqual(['sessions.sqlite'])
})

test('appends of one process take their turns over several connections', async () => {
  const logs = await Promise.all(Array.from({ length: 4 }, () => openSqliteLog(file)))
  const append = async (writer: number): Promise<void> => {
    const log = logs[writer % logs.length]
    for (let done = 0; done < 10;) {
      const version = (await log?.read('s1'))?.length ?? 0
      const result = await Promise.allSettled([
        log?.append('s1', version, someEntries(version, version + 1, `${writer}`)),
      ])
      if (result[0].status === 'fulfilled') done += 1
      else expect(result[0].reason).toMatchObject({ code: 'LOG_CONFLICT' })
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, writer) => append(writer)))
  const entries = await logs[0]?.read('s1')
  expect(entries?.map(({ seq }) => seq)).toEqual([...Array(80).keys()])
  for (const log of logs) await log.close()
})

test('others write between the steps of a pruning, and what they name again stays', async () => {
  await using log = await openSqliteLog(file, { durability: 'os' })
  const [again, gone] = [textHash('again'), textHash('gone')]
  await log.definitions.put(again, 'named again')
  await log.definitions.put(gone, 'gone')
  await log.append('s1', 0, someEntries(0, 5_000))
  await log.append('last', 0, someEntries(0, 1))
  await using other = await openSqliteLog(file, { lockWaitMs: 0 })
  const over = new AbortController()
  const pruning = log.prune().finally(() => over.abort())
  let written = 0
  while (!over.signal.aborted) {
    await nextTurn()
    // The row numbers of a deleted session are given again.
    if (written === 1) await other.delete('last')
    await other.append('s2', written, someEntries(written, written + 1, written === 2 ? again : ''))
    written += 1
  }
  expect(written).toBeGreaterThan(4)
  expect(await pruning).toMatchObject({ definitions: 1 })
  expect(await storedDefinition(other, again)).toBe('named again')
  expect(await storedDefinition(other, gone)).toBeUndefined()
})
