import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, constants as modes, readdir, readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { delimiter, resolve } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { sanitiseLine } from '../../entries/kit.ts'

/** A program to start. No shell is involved. */
export interface ProgramRequest {
  readonly command: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** True to let what it started go on after it has exited, until `kill` is called. */
  readonly stays?: boolean
}

/** A started program with all processes that it starts. */
export interface HostProcess {
  readonly pid: number
  readonly stdin: WritableStream<Uint8Array>
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  wait(): Promise<ProcessEnd>
  /** Ends every process. Resolves when they have ended. */
  kill(): Promise<void>
}

export interface ProcessEnd {
  /** 128 and the number of the signal, when one ended it. */
  readonly exitCode: number
  readonly signal: string | null
  /** The commands that were still running, and were ended with it; with `stays`, those that go on. */
  readonly left: readonly string[]
}

/** Milliseconds to wait for streams that a process still has open. */
const STREAM_CLOSE_MS = 500

/**
 * Starts a program. Processes that it started end with it, even if it exits by itself, and with this process.
 *
 * Rejects when the program cannot be started.
 */
export async function startProcess(request: ProgramRequest): Promise<HostProcess> {
  const { cwd, environment, graceMs, stays = false } = request
  const mark: RunMark = { variable: `${RUN_MARK}=${randomUUID()}`, limit: await uniqueLimit() }
  const [command, ...words] = await markedCommand(request, mark)
  // Started first: the program may run at once, and this process may be killed at any moment.
  const watch = startWatch(mark)
  const child = spawn(command, words, {
    cwd,
    env: { ...environment, [RUN_MARK]: mark.variable.slice(RUN_MARK.length + 1) },
    detached: true,
    stdio: 'pipe',
  })
  const exited = new Promise<Pick<ProcessEnd, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (SIGNAL_NUMBERS.get(signal ?? '') ?? 0), signal })
    })
  })
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  if (child.pid !== undefined) watch.guard(child.pid)
  await once(child, 'spawn').catch((error: unknown) => {
    watch.end()
    throw error
  })
  child.on('error', () => undefined)
  // A program that does not read its input may close it.
  child.stdin.on('error', () => undefined)
  const leader = child.pid as number
  const output = [byteStream(child.stdout), byteStream(child.stderr)] as const

  const endAll = async (): Promise<void> => {
    send(-leader, 'SIGKILL')
    await killMarkedProcesses(mark)
    for (const { finish } of output) finish()
    const timer = setTimeout(() => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    }, STREAM_CLOSE_MS)
    await closed
    clearTimeout(timer)
    watch.end()
  }
  let ending: Promise<void> | undefined
  const ended = exited.then(async (status) => {
    const left = await commandsOf(await markedProcesses(mark))
    if (!stays) await (ending ??= endAll())
    return { ...status, left }
  })
  return {
    pid: leader,
    stdout: output[0].stream,
    stderr: output[1].stream,
    stdin: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    wait: () => ended,
    async kill() {
      send(-leader, 'SIGTERM')
      const killing = setTimeout(() => send(-leader, 'SIGKILL'), graceMs)
      await exited
      clearTimeout(killing)
      await (ending ??= endAll())
    },
  }
}

const SIGNAL_NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals))

/** Bytes that are read ahead of a reader. */
const READ_AHEAD = 65_536

/** Returns a stream that waits for its reader until `finish`, and then ends with what is still in the pipe. */
function byteStream(readable: Readable) {
  let isOver = false
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        readable.on('data', (chunk: Buffer) => {
          controller.enqueue(new Uint8Array(chunk))
          if (!isOver && (controller.desiredSize ?? 0) <= 0) readable.pause()
        })
        readable.once('error', () => undefined)
        readable.once('close', () => {
          // A reader that has given up has closed it.
          if (!isCancelled) controller.close()
        })
      },
      pull: () => void readable.resume(),
      cancel() {
        isCancelled = true
        readable.destroy()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD }),
  )
  return {
    stream,
    finish() {
      isOver = true
      readable.resume()
    },
  }
}

/** The environment variable that identifies the processes of one run. */
const RUN_MARK = 'LOADOUT_SCRIPT_RUN'

/** Two marks that the processes of a run inherit: one of them may be removed. */
interface RunMark {
  /** A variable of the environment and its value. `env -i` removes it. */
  readonly variable: string
  /**
   * A limit of file locks, which Linux has not enforced since 2.4: a number that no other process has. A new environment
   * or session keeps it, and a program without rights can only lower it.
   */
  readonly limit: number
}

/** Limits of runs are between these; those of a run inside a run are lower than its own. */
const FEWEST_LOCKS = 2 ** 20
const MOST_LOCKS = 2 ** 47

/** Returns a limit of file locks that no other process has. One that is too low to be unique stays, and marks nothing. */
async function uniqueLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'latin1').catch(() => '')
  const [, , own] = lockLimits(limits)
  const most = /^\d+$/.test(own ?? '') ? Number(own) : MOST_LOCKS
  return randomInt(FEWEST_LOCKS, most < 2 * FEWEST_LOCKS ? MOST_LOCKS : Math.min(most, MOST_LOCKS))
}

/** Sets the limit `$1` and becomes the program that follows, without the variables that a shell adds. */
const SET_LIMIT =
  'ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null; shift; unset -v ADDED; exec "$@"'

const ADDED_BY_SHELLS: readonly string[] = ['PWD', 'OLDPWD', 'SHLVL', '_']

/** Returns the words that start a program with the limit, or the program alone where it is not found: then it fails. */
async function markedCommand(
  { command, arguments: words, cwd, environment }: ProgramRequest,
  { limit }: RunMark,
): Promise<readonly [string, ...string[]]> {
  const folders = command.includes('/')
    ? ['']
    : (environment['PATH'] ?? '/usr/bin:/bin').split(delimiter)
  const places = folders.map((folder) => resolve(cwd, folder, command))
  const found = await Promise.all(
    places.map((place) =>
      access(place, modes.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (process.platform !== 'linux' || !found.includes(true)) return [command, ...words]
  const added = ADDED_BY_SHELLS.filter((name) => environment[name] === undefined)
  const script = SET_LIMIT.replace('ADDED', added.join(' '))
  return ['/bin/sh', '-c', script, 'sh', String(limit), command, ...words]
}

/** Maximum number of searches for new processes while others are stopped. */
const MAX_PASSES = 50

/** Milliseconds between two checks if the killed processes have ended. */
const POLL_MS = 5

/**
 * Kills the processes of a run that left its group. They are stopped first and searched for again,
 * so that none starts others meanwhile; then it waits, since killed processes take a moment to end.
 * On systems without `/proc` such processes cannot be found, and nothing happens.
 */
async function killMarkedProcesses(mark: RunMark): Promise<void> {
  const stopped = new Set<number>()
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = (await markedProcesses(mark)).filter((pid) => !stopped.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      stopped.add(pid)
      send(pid, 'SIGSTOP')
    }
  }
  for (const pid of stopped) send(pid, 'SIGKILL')
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    if ((await markedProcesses(mark)).length === 0) return
    await delay(POLL_MS)
  }
}

async function markedProcesses({ variable, limit }: RunMark): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  const read = (name: string, file: string) =>
    readFile(`/proc/${name}/${file}`, 'latin1').catch(() => '')
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const isMarked =
          (await read(name, 'environ')).includes(variable) ||
          lockLimits(await read(name, 'limits'))[1] === `${limit}`
        return isMarked ? [Number(name)] : []
      }),
  )
  return found.flat()
}

/** Reads a text of `/proc/<pid>/limits`: the line of file locks, its soft limit and its hard one. */
function lockLimits(text: string): readonly string[] {
  return /^Max file locks {1,40}(\S{1,40}) {1,40}(\S{1,40})/mu.exec(text) ?? []
}

/** Returns a pattern for the line of `/proc/<pid>/limits` that has a limit of file locks, for a shell. */
function limitPattern(limit: number): string {
  return `Max file locks  *${limit} `
}

/** Characters of a command that are shown. */
const MAX_COMMAND = 200

/** Returns the command lines of processes, without those that have ended meanwhile. */
async function commandsOf(pids: readonly number[]): Promise<readonly string[]> {
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines
    .map((line) => sanitiseLine(line.replaceAll('\0', ' ').trim().slice(0, MAX_COMMAND)))
    .filter((line) => line !== '')
}

/** Signals a process, or with a negative number its group; one that has already ended is no error. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/**
 * Reads the number of a group and waits for the end of its input. Then it kills the group, and every
 * process with the mark `$1` or `$2`: this process may be killed before it can write the number. It searches again
 * until it finds none, since a process may start another one during a search.
 */
const WATCH_PROCESSES = `
read -r group
read -r _
[ -n "$group" ] && kill -KILL -"$group"
passes=0
found=yes
while [ -n "$found" ] && [ "$passes" -lt ${MAX_PASSES} ]; do
  found=
  for folder in /proc/[0-9]*; do
    grep -qs -e "$1" -e "$2" "$folder/environ" "$folder/limits" || continue
    found=yes
    kill -KILL "\${folder#/proc/}"
  done
  passes=$((passes + 1))
done`

interface Watch {
  guard(leader: number): void
  end(): void
}

/**
 * Starts a process that kills a process group when this process ends, however it ends: then its input
 * is closed. The group itself runs in a session of its own, so no signal of a terminal reaches it.
 */
function startWatch({ variable, limit }: RunMark): Watch {
  const watch = spawn('/bin/sh', ['-c', WATCH_PROCESSES, 'sh', variable, limitPattern(limit)], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A system without a shell has no watch.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  return {
    guard: (leader) => void watch.stdin.write(`${leader}\n`),
    end: () => void watch.kill('SIGKILL'),
  }
}
