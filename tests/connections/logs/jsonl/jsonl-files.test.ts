import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockLog } from '../../../../src/connections/logs/jsonl/lock-log.ts'
import { openJsonlLog } from '../../../../src/connections/logs/jsonl/open-jsonl-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import type { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { someEntries } from '../../../workspace/log/some-entries.ts'
import { definitionOf } from '../../../workspace/log/definition-of.ts'

const CHILD = fileURLToPath(new URL('./append-in-child.ts', import.meta.url))

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-jsonl-'))
  file = join(folder, 'run.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Appends as another process does: the file has no writer afterwards. */
async function append(to: string, from: number, end: number, note?: string): Promise<void> {
  await using log = openJsonlLog(to, { durability: 'os' })
  await log.append(`s1`, from, someEntries(from, end, note))
}

/** A process id that was in use a moment ago and is not now. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** Returns true when a process is a zombie and none of its threads runs: its first thread ends before the others. */
function isZombie(pid: number): boolean {
  return (
    readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z') &&
    /^Threads:\s+1$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  )
}

/** Leaves the lock of a writer that is like one of this process, but for what is given. Returns its id. */
async function leaveLock(other: object): Promise<string> {
  await using log = openJsonlLog(file)
  await log.append('s1', 0, someEntries(0, 1))
  const writer = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { readonly id: string }
  await log.close()
  writeFileSync(`${file}.lock`, JSON.stringify({ ...writer, ...other }))
  return writer.id
}

describe('an append cut short', () => {
  test('is not read, is set aside by the next append, and is reported', async () => {
    await append(file, 0, 2)
    const whole = readFileSync(file)
    await append(file, 2, 5)
    truncateSync(file, readFileSync(file).length - 20)
    const torn = readFileSync(file).subarray(whole.length)

    const log = openJsonlLog(file)
    expect(await log.read('s1')).toEqual(someEntries(0, 2))
    expect(log.notices).toMatchObject([{ code: 'log-unfinished-append', line: 4, file }])
    expect(existsSync(`${file}.torn`)).toBe(false)

    await log.append('s1', 2, someEntries(2, 3, 'anew'))
    expect(readFileSync(`${file}.torn`)).toEqual(torn)
    expect(await openJsonlLog(file).read('s1')).toEqual([
      ...someEntries(0, 2),
      ...someEntries(2, 3, 'anew'),
    ])
    expect(log.notices).toMatchObject([
      { code: 'log-unfinished-append', hint: expect.stringContaining('.torn') as string },
    ])
  })

  test('at any byte of the first append leaves an empty log that works', async () => {
    await append(file, 0, 2)
    const whole = readFileSync(file)
    for (let cut = 0; cut < whole.length; cut += 11) {
      writeFileSync(file, whole.subarray(0, cut))
      await using log = openJsonlLog(file, { durability: 'os' })
      expect(await log.list()).toEqual([])
      await log.append('s2', 0, someEntries(0, 1))
      expect(await openJsonlLog(file).read('s2')).toEqual(someEntries(0, 1))
    }
  })

  test('goes with the session when that is deleted', async () => {
    writeFileSync(file, '{"loadout":"log"')
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    expect(existsSync(`${file}.torn`)).toBe(true)
    await log.delete('s1')
    await log.close()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a file', () => {
  test('is not created by reading, and nothing next to it is', async () => {
    const log = openJsonlLog(file)
    await log.definitions.put(textHash('a'), 1)
    expect([await log.read('s1'), await log.list(), log.notices]).toEqual([[], [], []])
    expect(readdirSync(folder)).toEqual([])
  })

  test('is all that an append leaves', async () => {
    await append(file, 0, 1)
    expect(readdirSync(folder)).toEqual(['run.jsonl'])
  })

  test('that is damaged accepts no append and is not changed', async () => {
    await append(file, 0, 2)
    const changed = readFileSync(file, 'utf8').replace('"at":1000', '"at":1001')
    writeFileSync(file, changed)
    const log = openJsonlLog(file)
    await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    await expect(log.append('s1', 2, someEntries(2, 3))).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
    })
    expect(readFileSync(file, 'utf8')).toBe(changed)
  })

  test('that is damaged while it is open is noticed by the next full read', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 2))
    writeFileSync(file, readFileSync(file, 'utf8').replace('"at":1000', '"at":1001'))
    await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
  })

  test('that is something else is never taken for a log', async () => {
    writeFileSync(file, 'my notes')
    await expect(openJsonlLog(file).append('s1', 0, someEntries(0, 1))).rejects.toMatchObject({
      code: 'LOG_FORMAT',
    })
    expect(readFileSync(file, 'utf8')).toBe('my notes')
  })

  test('that is replaced by another while it is open is read again', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 4))
    const other = openJsonlLog(join(folder, 'other.jsonl'))
    await other.append('s2', 0, someEntries(0, 5, 'other'))
    renameSync(other.file, file)
    await expect(log.append('s1', 4, someEntries(4, 5))).rejects.toMatchObject({
      code: 'LOG_OTHER_SESSION',
    })
    expect(await log.list()).toMatchObject([{ session: 's2', version: 5 }])
    expect(await log.read('s2', 4)).toEqual(someEntries(4, 5, 'other'))
  })

  test('that gets the content of another of the same size is read again', async () => {
    const log = openJsonlLog(file)
    await log.definitions.put(textHash('a'), 1)
    await log.append('s1', 0, someEntries(0, 2))
    const other = openJsonlLog(join(folder, 'other.jsonl'))
    await other.definitions.put(textHash('b'), 2)
    await other.append('s2', 0, someEntries(0, 2))
    writeFileSync(file, readFileSync(other.file))
    expect(await log.list()).toMatchObject([{ session: 's2', version: 2 }])
    await log.append('s2', 2, someEntries(2, 3))
    const reader = openJsonlLog(file)
    expect(await reader.read('s2')).toEqual(someEntries(0, 3))
    expect(await definitionOf(reader, textHash('a'))).toBe(1)
  })

  test('that was found to be damaged takes no append, which nobody could read', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 2))
    writeFileSync(file, readFileSync(file, 'utf8').replace('"at":1000', '"at":1009'))
    await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    const damaged = readFileSync(file)
    await expect(log.append('s1', 2, someEntries(2, 3))).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
    })
    expect(readFileSync(file)).toEqual(damaged)
  })

  test('that has another session is not deleted for an earlier one', async () => {
    await append(file, 0, 1)
    await openJsonlLog(file).delete('s2')
    expect(await openJsonlLog(file).read('s1')).toEqual(someEntries(0, 1))
  })

  test.runIf(process.platform !== 'win32')('may be named by a link', async () => {
    const link = join(folder, 'link.jsonl')
    symlinkSync(file, link)
    const log = openJsonlLog(link)
    await log.append('s1', 0, someEntries(0, 1))
    appendFileSync(file, '{"entry":{"seq":1')
    await log.append('s1', 1, someEntries(1, 2))
    expect(await openJsonlLog(file).read('s1')).toEqual(someEntries(0, 2))
    await log.delete('s1')
    expect(readdirSync(folder).sort()).toEqual(['link.jsonl', 'run.jsonl.lock'])
    await log.append('s1', 0, someEntries(0, 1, 'anew'))
    expect(await openJsonlLog(file).read('s1')).toEqual(someEntries(0, 1, 'anew'))
  })

  test('that lost an unacknowledged append is still followed', async () => {
    await append(file, 0, 1)
    const whole = readFileSync(file)
    await append(file, 1, 2, 'taken back')
    const follower = openJsonlLog(file)
    await follower.read('s1')
    truncateSync(file, whole.length)
    await append(file, 1, 3, 'instead, and longer')
    expect(await follower.read('s1', 2)).toEqual(someEntries(2, 3, 'instead, and longer'))
  })

  test('holds one session', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    await expect(log.append('s2', 0, someEntries(0, 1))).rejects.toMatchObject({
      code: 'LOG_OTHER_SESSION',
      facts: { held: 's1', wanted: 's2' },
    })
  })

  test.runIf(process.platform !== 'win32')(
    'that is a FIFO is refused, without waiting',
    async () => {
      execFileSync('sh', ['-c', 'mkfifo "$0"', file])
      const log = openJsonlLog(file)
      await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
      await expect(log.append('s1', 0, someEntries(0, 1))).rejects.toMatchObject({
        code: 'LOG_UNREADABLE',
      })
    },
  )

  test('that is a folder is refused', async () => {
    mkdirSync(file)
    await expect(openJsonlLog(file).read('s1')).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
  })

  test('in a folder that does not exist is reported as an error', async () => {
    const log = openJsonlLog(join(folder, 'nowhere', 'run.jsonl'))
    expect(await log.read('s1')).toEqual([])
    await expect(log.append('s1', 0, someEntries(0, 1))).rejects.toMatchObject({
      code: 'LOG_WRITE_FAILED',
      facts: { reason: 'ENOENT' },
      hint: 'Create its folder first.',
    })
  })

  test.runIf(process.platform === 'linux')(
    'where nobody may write is reported as an error',
    async () => {
      const log = openJsonlLog('/sys/run.jsonl')
      await expect(log.append('s1', 0, someEntries(0, 1))).rejects.toMatchObject({
        code: 'LOG_WRITE_FAILED',
        facts: { reason: expect.stringMatching(/^(EACCES|EPERM|EROFS)$/) as string },
      })
    },
  )

  test.runIf(process.platform === 'linux')('that takes part of an append is restored', async () => {
    await append(file, 0, 1)
    const before = readFileSync(file)
    const command = 'ulimit -f 4; exec "$0" "$@"'
    const run = (characters: number): string =>
      execFileSync(
        'bash',
        ['-c', command, process.execPath, CHILD, '--file', file, '--characters', `${characters}`],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      )
    expect(run(8000)).toBe('LOG_WRITE_FAILED EFBIG\n')
    expect(readFileSync(file)).toEqual(before)
    expect(run(10)).toBe('1\n')
    expect((await openJsonlLog(file).read('s1')).length).toBe(2)
  })
})

describe('a writer', () => {
  test('that is killed loses nothing that was acknowledged, and its lock is taken over', async () => {
    const child = spawn(process.execPath, [CHILD, '--file', file, '--count', '100000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let acknowledged = -1
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged === 25) child.kill('SIGKILL')
    }
    await ended
    expect(existsSync(`${file}.lock`)).toBe(true)
    await using log = openJsonlLog(file)
    const { length } = await log.read('s1')
    expect(length).toBeGreaterThan(acknowledged)
    await log.append('s1', length, someEntries(length, length + 1))
    expect(await log.read('s1')).toEqual(someEntries(0, length + 1))
  })

  test.runIf(process.platform === 'linux')(
    'that is killed and whose parent never asks for its end has ended',
    async () => {
      // The shell starts the writer, and becomes a program that knows of no child.
      const parent = spawn(
        'sh',
        [
          '-c',
          '"$0" "$1" --file "$2" --count 100000 & echo "pid $!"; exec cat',
          process.execPath,
          CHILD,
          file,
        ],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      )
      let pid = 0
      let hasWritten = false
      // The writer may be faster than the shell.
      for await (const line of createInterface({ input: parent.stdout })) {
        if (line.startsWith('pid ')) pid = Number(line.slice(4))
        else hasWritten = true
        if (pid > 0 && hasWritten) break
      }
      process.kill(pid, 'SIGKILL')
      while (!isZombie(pid)) await nextTurn()
      await using log = openJsonlLog(file)
      const { length } = await log.read('s1')
      await log.append('s1', length, someEntries(length, length + 1))
      expect(await log.read('s1')).toEqual(someEntries(0, length + 1))
      parent.kill('SIGKILL')
    },
  )

  test('in another process is named at once, and its log can be read', async () => {
    const child = spawn(process.execPath, [CHILD, '--file', file, '--count', '100000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      const log = openJsonlLog(file)
      const { length } = await log.read('s1')
      expect(length).toBeGreaterThan(0)
      await expect(log.append('s1', length, someEntries(length, length + 1))).rejects.toMatchObject(
        {
          code: 'LOG_LOCKED',
          facts: { file, pid: child.pid, startedAt: expect.stringMatching(/^\d{4}-/) as string },
          hint: expect.stringContaining('SQLite') as string,
        },
      )
      expect((await log.read('s1')).length).toBeGreaterThanOrEqual(length)
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('of the same process keeps others out until it is closed', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    const other = openJsonlLog(file)
    await expect(other.append('s1', 1, someEntries(1, 2))).rejects.toMatchObject({
      code: 'LOG_LOCKED',
      message: `${file} has another writer in this process.`,
      hint: expect.stringContaining('A SQLite log'),
    })
    // A file that is no log is locked in the same way.
    await expect(lockLog(file, 'Try again.')).rejects.toMatchObject({ hint: 'Try again.' })
    await expect(other.delete('s1')).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    expect(await other.read('s1')).toEqual(someEntries(0, 1))
    await log.append('s1', 1, someEntries(1, 2))
    await log.close()
    await other.append('s1', 2, someEntries(2, 3))
    await other.close()
    await expect(log.append('s1', 3, someEntries(3, 4))).rejects.toMatchObject({
      code: 'LOG_CLOSED',
    })
    expect(readdirSync(folder)).toEqual(['run.jsonl'])
  })

  test('is one of several who want a file that a dead process locked', async () => {
    await leaveLock({ pid: await deadProcess() })
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((writer) =>
        openJsonlLog(file).append('s1', 1, someEntries(1, 2, `${writer}`)),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'LOG_LOCKED' })
    }
    expect(readdirSync(folder).sort()).toEqual(['run.jsonl', 'run.jsonl.lock'])
  })
})

describe('a lock', () => {
  test.runIf(process.platform === 'linux')(
    'of a dead process is taken over, though another process has its number now',
    async () => {
      await leaveLock({ startTicks: '1' })
      await append(file, 1, 2)
      expect(readdirSync(folder)).toEqual(['run.jsonl'])
    },
  )

  test('of another host is named with the command that removes it', async () => {
    await leaveLock({ host: 'elsewhere', pid: await deadProcess() })
    const log = openJsonlLog(file)
    const error: unknown = await log.append('s1', 1, someEntries(1, 2)).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'LOG_LOCKED',
      message: expect.stringContaining('on the host "elsewhere"') as string,
      facts: { host: 'elsewhere' },
    })
    expect(await log.read('s1')).toEqual(someEntries(0, 1))
    const { hint = '' } = error as WorkspaceError
    execFileSync('sh', ['-c', hint.slice(hint.indexOf('rm '))])
    await log.append('s1', 1, someEntries(1, 2))
    expect(hostname()).not.toBe('elsewhere')
  })

  test.runIf(process.platform !== 'win32')(
    'is removed by the command in the error, whatever the name of its file is',
    async () => {
      file = join(folder, "it's $(touch ran).jsonl")
      await leaveLock({ host: 'elsewhere' })
      const error: unknown = await append(file, 1, 2).catch((thrown) => thrown)
      const { hint = '' } = error as WorkspaceError
      execFileSync('sh', ['-c', hint.slice(hint.indexOf('rm '))], { cwd: folder })
      await append(file, 1, 2)
      expect(readdirSync(folder)).toEqual([basename(file)])
    },
  )

  test('is named with the command that removes it when a process that took it over was killed, too', async () => {
    const id = await leaveLock({ pid: await deadProcess() })
    writeFileSync(`${file}.lock.${id}.removing`, '')
    const error: unknown = await append(file, 1, 2).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'LOG_LOCKED' })
    const { hint = '' } = error as WorkspaceError
    execFileSync('sh', ['-c', hint.slice(hint.indexOf('rm '))])
    await append(file, 1, 2)
    expect(readdirSync(folder)).toEqual(['run.jsonl'])
  })

  test.each(['', 'null', '{"id":"../../x","pid":1,"host":"h"}', '{"id":1,"pid":-1}'])(
    'that says %j is left alone',
    async (text) => {
      writeFileSync(`${file}.lock`, text)
      await expect(append(file, 0, 1)).rejects.toMatchObject({
        code: 'LOG_LOCKED',
        message: `${file} has a lock that cannot be read.`,
      })
      expect(readFileSync(`${file}.lock`, 'utf8')).toBe(text)
    },
  )

  test.runIf(process.platform !== 'win32')('is the same one for all names of a file', async () => {
    const log = openJsonlLog(file)
    await log.append('s1', 0, someEntries(0, 1))
    const other = join(folder, 'link.jsonl')
    symlinkSync(file, other)
    await expect(append(other, 1, 2)).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    rmSync(file)
    await expect(append(other, 0, 1)).rejects.toMatchObject({ code: 'LOG_LOCKED' })
  })

  test('is not needed for reading', async () => {
    await append(file, 0, 1)
    const follower = openJsonlLog(file)
    await follower.read('s1')
    await append(file, 1, 2)
    writeFileSync(`${file}.lock`, '')
    appendFileSync(file, '{"entry":{"seq":2')
    expect(await follower.read('s1', 1)).toEqual(someEntries(1, 2))
    expect(follower.notices).toHaveLength(1)
  })
})

test('definitions and entries of one append are there together or not at all', async () => {
  const log = openJsonlLog(file)
  await log.append('s1', 0, someEntries(0, 1))
  const before = readFileSync(file).length
  await log.definitions.put(textHash('a'), { name: 'search' })
  await log.append('s1', 1, someEntries(1, 3))
  const whole = readFileSync(file)
  for (let cut = before; cut < whole.length; cut += 5) {
    writeFileSync(file, whole.subarray(0, cut))
    const reader = openJsonlLog(file)
    expect(await reader.read('s1')).toEqual(someEntries(0, 1))
    expect(await definitionOf(reader, textHash('a'))).toBeUndefined()
  }
})
