import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import type { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { lockFile } from '../../../../src/workbench/project/walk/lock-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const CHILD = fileURLToPath(new URL('./lock-in-child.ts', import.meta.url))

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await temporaryFolder()
  file = join(folder, 'trust.json')
})

/** Leaves the lock of a writer that is like one of this process, but for what is given. Returns its id. */
async function leaveLock(other: object): Promise<string> {
  const release = await lockFile(file)
  const writer = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { readonly id: string }
  await release()
  writeFileSync(`${file}.lock`, JSON.stringify({ ...writer, ...other }))
  return writer.id
}

/** Locks the file and releases it, and returns what is then in its folder. */
async function lockOnce(): Promise<readonly string[]> {
  const release = await lockFile(file)
  await release()
  return readdirSync(folder)
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

/** Runs the command that an error gives to remove a lock. */
function removeAsAdvised(error: unknown): void {
  const { hint = '' } = error as WorkspaceError
  execFileSync('sh', ['-c', hint.slice(hint.indexOf('rm '))], { cwd: folder })
}

test('a writer in another process is named, and its lock is taken over when it was killed', async () => {
  const child = spawn(process.execPath, [CHILD, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    await expect(lockFile(file)).rejects.toMatchObject({
      code: 'FILE_LOCKED',
      facts: { file, pid: child.pid, startedAt: expect.stringMatching(/^\d{4}-/) as string },
      hint: 'Try again when that process has ended.',
    })
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  expect(readdirSync(folder)).toEqual(['trust.json.lock'])
  expect(await lockOnce()).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a writer that was killed and whose parent never asks for its end has ended',
  async () => {
    // The shell starts the writer, and becomes a program that knows of no child.
    const script = 'exec 3<&0; "$0" "$1" "$2" <&3 & echo "pid $!"; exec cat 3<&-'
    const parent = spawn('sh', ['-c', script, process.execPath, CHILD, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      let pid = 0
      let hasLocked = false
      // The writer may be faster than the shell.
      for await (const line of createInterface({ input: parent.stdout })) {
        if (line.startsWith('pid ')) pid = Number(line.slice(4))
        else hasLocked = true
        if (pid > 0 && hasLocked) break
      }
      process.kill(pid, 'SIGKILL')
      while (!isZombie(pid)) await nextTurn()
      expect(await lockOnce()).toEqual([])
    } finally {
      parent.kill('SIGKILL')
    }
  },
)

test('a writer of the same process keeps others out until it releases the lock', async () => {
  const release = await lockFile(file)
  await expect(lockFile(file)).rejects.toMatchObject({
    code: 'FILE_LOCKED',
    message: `${file} has another writer in this process.`,
  })
  await release()
  expect(await lockOnce()).toEqual([])
})

test('one of several who want a file that a dead process locked gets it', async () => {
  await leaveLock({ pid: await deadProcess() })
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => lockFile(file)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'FILE_LOCKED' })
  }
  expect(readdirSync(folder)).toEqual(['trust.json.lock'])
})

test.runIf(process.platform === 'linux')(
  'the lock of a dead process is taken over, though another process has its number now',
  async () => {
    await leaveLock({ startTicks: '1' })
    expect(await lockOnce()).toEqual([])
  },
)

test('the lock of another host is named with the command that removes it, whatever the name of the file is', async () => {
  file = join(folder, "it's $(touch ran).json")
  await leaveLock({ host: 'elsewhere', pid: await deadProcess() })
  const error: unknown = await lockFile(file).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'FILE_LOCKED',
    message: expect.stringContaining('on the host "elsewhere"') as string,
    facts: { host: 'elsewhere' },
  })
  expect(readdirSync(folder)).toEqual([`${basename(file)}.lock`])
  removeAsAdvised(error)
  expect(await lockOnce()).toEqual([])
})

test('the command is also named when a process that took a lock over was killed, too', async () => {
  const id = await leaveLock({ pid: await deadProcess() })
  writeFileSync(`${file}.lock.${id}.removing`, '')
  const error: unknown = await lockFile(file).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'FILE_LOCKED' })
  removeAsAdvised(error)
  expect(await lockOnce()).toEqual([])
})

test.each(['', 'null', '{"id":"../../x","pid":1,"host":"h"}', '{"id":1,"pid":-1}'])(
  'a lock that says %j is left alone',
  async (text) => {
    writeFileSync(`${file}.lock`, text)
    await expect(lockFile(file)).rejects.toMatchObject({
      code: 'FILE_LOCKED',
      message: `${file} has a lock that cannot be read.`,
    })
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(text)
  },
)

test.runIf(process.platform !== 'win32')('all names of a file have one lock', async () => {
  const release = await lockFile(file)
  const link = join(folder, 'link.json')
  symlinkSync(file, link)
  await expect(lockFile(link)).rejects.toMatchObject({ code: 'FILE_LOCKED' })
  await release()
})
