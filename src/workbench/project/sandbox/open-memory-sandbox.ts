import { notRegular } from './folder-files.ts'
import type { Bash } from 'just-bash'
import { posix } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import {
  decodeLines,
  type SandboxCommand,
  type SandboxProcess,
  type SandboxSession,
  type WritableSandboxProcess,
} from './sandbox-session.ts'

/** Options of a sandbox in memory. */
export interface MemorySandboxOptions {
  /** Files that it has from the start, by path from its folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Variables of its environment. It has none of the host. */
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds that a command may take; 120,000 by default. */
  readonly timeoutMs?: number
}

const OPTIONS: OptionsOf<MemorySandboxOptions> = {
  files: 'object',
  environment: 'object',
  timeoutMs: 'number',
}

/** The folder in which commands start. */
const FOLDER = '/home/user'

/**
 * Opens a sandbox in memory, by `just-bash`: a shell, Python (its standard library) and JavaScript that reach no file,
 * variable, program or network of the host. Throws `SANDBOX_UNAVAILABLE` when `just-bash` is not installed.
 *
 * Commands run in this process, so a command that computes a lot takes time from it.
 */
export async function openMemorySandbox(
  options: MemorySandboxOptions = {},
): Promise<SandboxSession> {
  checkOptions(options, OPTIONS)
  const { files = {}, environment = {}, timeoutMs = 120_000 } = options
  const { Bash } = await import('just-bash').catch((cause: unknown) => {
    throw new WorkspaceError('SANDBOX_UNAVAILABLE', 'The sandbox in memory needs just-bash.', {
      hint: 'Install it: npm install just-bash.',
      cause,
    })
  })
  const bash = new Bash({
    cwd: FOLDER,
    env: { ...environment },
    files: Object.fromEntries(
      Object.entries(files).map(([path, content]) => [posix.resolve(FOLDER, path), content]),
    ),
    python: true,
    javascript: true,
    executionLimits: {
      maxExecutionTimeMs: timeoutMs,
      maxPythonTimeoutMs: timeoutMs,
      maxJsTimeoutMs: timeoutMs,
      maxFileSystemBytes: MAX_FILE_BYTES,
      maxOutputSize: MAX_OUTPUT_BYTES,
    },
  })
  await bash.fs.mkdir(FOLDER, { recursive: true })
  return memorySession(bash)
}

/** Bytes that its files may have together. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Bytes of output after which a command is ended. */
const MAX_OUTPUT_BYTES = 10_485_760

function memorySession(bash: Bash): SandboxSession {
  const { fs } = bash
  const full = (path: string) => posix.resolve(FOLDER, path)
  const readBinaryFile: SandboxSession['readBinaryFile'] = async ({ path }) => {
    const stat = await statPath(bash, full(path))
    return stat === null ? null : new Uint8Array(await fs.readFileBuffer(full(path)))
  }
  const writeBinaryFile: SandboxSession['writeBinaryFile'] = async ({ path, content }) => {
    await fs.mkdir(posix.dirname(full(path)), { recursive: true })
    await fs.writeFile(full(path), content)
  }
  const exec = (
    { command, workingDirectory = '.', env = {}, abortSignal }: SandboxCommand,
    signal: AbortSignal | undefined = abortSignal,
  ) =>
    // It does not pass variables of a command on to the programs of that command.
    bash.exec([...Object.keys(env).map((name) => `export ${name}`), command].join('\n'), {
      cwd: full(workingDirectory),
      env: { ...env },
      ...(signal !== undefined && { signal }),
    })
  return {
    description: `A folder in memory, ${FOLDER}, with a shell (bash), python3 with its standard library and js-exec for JavaScript. Nothing of the host can be reached, and there is no network.`,
    isolation: 'memory',
    readBinaryFile,
    readFile: async (options) => {
      const bytes = await readBinaryFile(options)
      return bytes === null ? null : new Response(new Uint8Array(bytes)).body
    },
    readTextFile: async (options) => {
      const bytes = await readBinaryFile(options)
      return bytes === null ? null : decodeLines(bytes, options)
    },
    writeBinaryFile,
    writeFile: async ({ content, ...others }) => {
      const bytes = new Uint8Array(await new Response(content).arrayBuffer())
      await writeBinaryFile({ ...others, content: bytes })
    },
    writeTextFile: ({ content, encoding = 'utf-8', ...others }) =>
      writeBinaryFile({
        ...others,
        content: new Uint8Array(Buffer.from(content, encoding as BufferEncoding)),
      }),
    stat: ({ path }) => statPath(bash, full(path)),
    listDirectory: async ({ path }) => {
      if ((await statPath(bash, full(path))) === null) return null
      const names = await fs.readdir(full(path))
      return Promise.all(
        names.map(async (name) => {
          const stat = await fs.lstat(posix.join(full(path), name))
          const type = stat.isSymbolicLink ? 'symlink' : stat.isDirectory ? 'directory' : 'file'
          return { name, type } as const
        }),
      )
    },
    deleteFile: async ({ path }) => {
      const stat = await fs.lstat(full(path)).catch(() => null)
      if (stat === null) return false
      if (stat.isDirectory) throw notRegular(path)
      await fs.rm(full(path))
      return true
    },
    spawn: (async (
      request: SandboxCommand & { readonly stdin?: boolean },
    ): Promise<SandboxProcess | WritableSandboxProcess> => {
      request.abortSignal?.throwIfAborted()
      if (request.stdin === true) throw noInput()
      const end = new AbortController()
      const { abortSignal } = request
      const signal = abortSignal ? AbortSignal.any([abortSignal, end.signal]) : end.signal
      return startedProcess(exec(request, signal), end, abortSignal)
    }) as SandboxSession['spawn'],
    run: async (request) => {
      request.abortSignal?.throwIfAborted()
      const { exitCode, stdout, stderr } = await exec(request)
      request.abortSignal?.throwIfAborted()
      return { exitCode, stdout, stderr }
    },
  }
}

/** Returns a process whose output comes when the command has ended. */
function startedProcess(
  running: ReturnType<Bash['exec']>,
  end: AbortController,
  abortSignal: AbortSignal | undefined,
): SandboxProcess {
  const outputStream = (which: 'stdout' | 'stderr') =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        const text = (await running.catch(() => null))?.[which] ?? ''
        if (text !== '') controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    })
  return {
    stdout: outputStream('stdout'),
    stderr: outputStream('stderr'),
    async wait() {
      const { exitCode } = await running
      abortSignal?.throwIfAborted()
      return { exitCode }
    },
    async kill() {
      end.abort()
      await running.catch(() => undefined)
    },
  }
}

async function statPath({ fs }: Bash, path: string) {
  const stat = await fs.stat(path).catch(() => null)
  if (stat === null) return null
  return {
    type: stat.isDirectory ? 'directory' : stat.isFile ? 'file' : 'other',
    size: stat.size,
  } as const
}

function noInput(): WorkspaceError {
  return new WorkspaceError('SANDBOX_UNSUPPORTED', 'A command in memory has no open input.', {
    hint: 'Write the input to a file, and read it with "<".',
  })
}
