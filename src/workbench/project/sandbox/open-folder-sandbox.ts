import { resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf, shellWord } from '../../../entries/kit.ts'
import { collectRun, type RunLimits } from './collect-run.ts'
import { FolderFiles } from './folder-files.ts'
import { type SandboxCommand, decodeLines, type SandboxSession } from './sandbox-session.ts'
import {
  type HostProcess,
  type ProgramRequest,
  startProcess,
} from '../../../connections/processes/start-process.ts'

/** Options of a sandbox in a folder of the host. */
export interface FolderSandboxOptions {
  /** The folder in which commands start, and which the paths of files cannot leave. */
  readonly folder: string
  /** The environment of commands; they have no other variables of this process. */
  readonly environment?: {
    /** Names of variables of this process; `PATH` and `LANG` by default. */
    readonly pass?: readonly string[]
    /** Other variables, with their values. */
    readonly set?: Readonly<Record<string, string>>
  }
  /** Milliseconds that a command of `run` may take; 30,000 by default. */
  readonly timeoutMs?: number
  /** Milliseconds between SIGTERM and SIGKILL; 2,000 by default. */
  readonly graceMs?: number
  /** Bytes of each stream of `run` to keep: the first and the last half; 65,536 by default. */
  readonly maxBytes?: number
  /** Bytes of output after which a command of `run` is ended; 10,485,760 by default. */
  readonly floodBytes?: number
}

export const SANDBOX_OPTIONS: OptionsOf<FolderSandboxOptions> = {
  folder: 'text',
  environment: { pass: 'texts', set: 'object' },
  timeoutMs: 'number',
  graceMs: 'number',
  maxBytes: 'number',
  floodBytes: 'number',
}

/** A sandbox whose files are those of a folder of the host. */
export interface FolderSandbox extends SandboxSession {
  /** The real path of the folder. Throws `PATH_NOT_A_FOLDER` when it is not there. */
  readonly folder: string
  readonly limits: RunLimits
  /** Starts a program without a shell. */
  startProgram(
    request: Omit<ProgramRequest, 'cwd' | 'graceMs'> & {
      /** A folder that it reads. */
      readonly reads: string
    },
  ): Promise<HostProcess>
  /** Ends all processes that are still running. */
  close(): Promise<void>
}

interface Fence {
  /** Puts a command for a shell behind the fence, as another command for a shell. It may read these folders, too. */
  wrap(command: string, reads: readonly string[]): Promise<string>
  close(): Promise<void>
}

const PASSED_VARIABLES: readonly string[] = ['PATH', 'LANG']

/**
 * Opens a sandbox in a folder of the host.
 *
 * Paths of files cannot leave the folder, through links either. Commands run as the user of this process, with all
 * rights of that user: their limits guard against mistakes, not malice. Throws `SANDBOX_UNSUPPORTED` on Windows, which
 * has no process groups.
 */
export function openFolderSandbox(options: FolderSandboxOptions): FolderSandbox {
  checkRecord(options, SANDBOX_OPTIONS, 'folder')
  return folderSandbox(options, null)
}

export function folderSandbox(
  {
    folder,
    environment: { pass = PASSED_VARIABLES, set = {} } = {},
    ...given
  }: FolderSandboxOptions,
  fence: Fence | null,
): FolderSandbox {
  if (process.platform === 'win32') throw unsupported()
  const files = new FolderFiles(resolve(folder))
  const { graceMs = 2_000 } = given
  const limits: RunLimits = {
    timeoutMs: given.timeoutMs ?? 30_000,
    maxBytes: given.maxBytes ?? 65_536,
    floodBytes: given.floodBytes ?? 10_485_760,
  }
  const own = () => ({ ...passedVariables(pass), ...set })
  const running = new Set<HostProcess>()
  const start = async (request: Omit<ProgramRequest, 'graceMs'>): Promise<HostProcess> => {
    const started = await startProcess({ ...request, graceMs })
    running.add(started)
    if (request.stays !== true) void started.wait().then(() => running.delete(started))
    if (fence === null) return started
    // A fence ends with its command, and all processes in it. What is still ending then are its own programs.
    return { ...started, wait: async () => ({ ...(await started.wait()), left: [] }) }
  }
  const startShell = async (
    { command, workingDirectory = '.', env = {}, reads = [], abortSignal }: SandboxCommand,
    stays = false,
  ): Promise<HostProcess> => {
    abortSignal?.throwIfAborted()
    const started = await start({
      command: SHELL,
      arguments: [...SHELL_ARGUMENTS, fence === null ? command : await fence.wrap(command, reads)],
      cwd: await files.folder(workingDirectory),
      environment: { ...own(), ...env },
      stays,
    })
    const onAbort = () => void started.kill()
    abortSignal?.addEventListener('abort', onAbort)
    void started.wait().then(() => abortSignal?.removeEventListener('abort', onAbort))
    if (abortSignal?.aborted) onAbort()
    return started
  }
  const readBinaryFile: SandboxSession['readBinaryFile'] = ({ path }) => files.read(path)
  const writeBinaryFile: SandboxSession['writeBinaryFile'] = ({ path, content }) =>
    files.write(path, content)
  return {
    description: `Files are those of the folder ${resolve(folder)}, and commands run in it with ${SHELL}.`,
    isolation: fence === null ? 'none' : 'fence',
    get folder() {
      return files.root
    },
    limits,
    readBinaryFile,
    readFile: async ({ path }) => byteStream(await files.read(path)),
    readTextFile: async ({ path, encoding, startLine, endLine }) => {
      const bytes = await files.read(path)
      return bytes === null ? null : decodeLines(bytes, { encoding, startLine, endLine })
    },
    writeBinaryFile,
    writeFile: async ({ path, content }) =>
      files.write(path, new Uint8Array(await new Response(content).arrayBuffer())),
    writeTextFile: ({ path, content, encoding = 'utf-8' }) =>
      files.write(path, Buffer.from(content, encoding as BufferEncoding)),
    stat: ({ path }) => files.stat(path),
    listDirectory: ({ path }) => files.list(path),
    deleteFile: ({ path }) => files.delete(path),
    spawn: (async (request: SandboxCommand & { readonly stdin?: boolean }) => {
      const { stdin, ...others } = await startShell(request)
      const { abortSignal, stdin: isOpen = false } = request
      const wait = async () => {
        const end = await others.wait()
        abortSignal?.throwIfAborted()
        return end
      }
      if (isOpen) return { ...others, wait, stdin }
      await stdin.close().catch(() => undefined)
      return { ...others, wait }
    }) as SandboxSession['spawn'],
    run: async (request) => {
      const { abortSignal, ...others } = request
      abortSignal?.throwIfAborted()
      const started = await startShell(others)
      await started.stdin.close().catch(() => undefined)
      const run = await collectRun(started, limits, abortSignal ?? new AbortController().signal)
      abortSignal?.throwIfAborted()
      if (run.ended !== 'exited') throw runEnded(request.command, run, limits)
      const { exitCode, stdout, stderr } = run
      return { exitCode: exitCode ?? 128, stdout, stderr }
    },
    startProgram: async ({ command, arguments: given, environment, reads, ...others }) => {
      const program =
        fence === null
          ? { command, arguments: given }
          : {
              command: SHELL,
              arguments: [
                ...SHELL_ARGUMENTS,
                await fence.wrap(`exec ${[command, ...given].map(shellWord).join(' ')}`, [reads]),
              ],
            }
      return start({
        ...program,
        ...others,
        cwd: await files.folder('.'),
        environment: { ...own(), ...environment },
      })
    },
    async close() {
      await Promise.all([...running].map((one) => one.kill()))
      running.clear()
      await fence?.close()
    },
  }
}

const SHELL = 'bash'

/** When its input is a socket, Bash takes itself for a remote shell and runs the user's `.bashrc`. */
const SHELL_ARGUMENTS = ['--norc', '-c'] as const

function byteStream(bytes: Uint8Array | null): ReadableStream<Uint8Array> | null {
  return bytes === null ? null : new Response(new Uint8Array(bytes)).body
}

function passedVariables(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function runEnded(
  command: string,
  { ended, stdout, stderr }: Awaited<ReturnType<typeof collectRun>>,
  { timeoutMs, floodBytes }: RunLimits,
): WorkspaceError {
  const why =
    ended === 'timed-out'
      ? `it took more than ${timeoutMs} ms`
      : `it wrote more than ${floodBytes} bytes`
  return new WorkspaceError('SANDBOX_RUN_ENDED', `The command was ended: ${why}.`, {
    facts: { command, ended, stdout, stderr },
    hint: 'Start it with spawn, or raise the limit of the sandbox.',
  })
}

function unsupported(): WorkspaceError {
  return new WorkspaceError('SANDBOX_UNSUPPORTED', 'Commands do not run on Windows.', {
    hint: 'Run the host in a container or in WSL, or pass a sandbox of your own.',
  })
}
