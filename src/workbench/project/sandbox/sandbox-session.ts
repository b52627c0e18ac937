import { type ToolContext, ToolError } from '../../../entries/index.ts'

/**
 * A place in which commands run and files are read and written. It has the shape of `Experimental_SandboxSession` of
 * the AI SDK, so any sandbox of that ecosystem fits.
 *
 * Relative paths are below the folder in which commands start.
 */
export interface SandboxSession {
  /** Describes the environment for a model: its folder, its programs. */
  readonly description: string
  /**
   * The separation from the host. `none`: files and commands are those of the host. `fence`: the files of one
   * folder are, and commands reach nothing else. `memory`: nothing of the host can be reached. A session without it
   * counts as `none`.
   */
  readonly isolation?: 'none' | 'fence' | 'memory'
  /** Resolves to null when there is no such file, like the next two. */
  readonly readFile: (options: PathOptions) => PromiseLike<ReadableStream<Uint8Array> | null>
  readonly readBinaryFile: (options: PathOptions) => PromiseLike<Uint8Array | null>
  /** Lines are counted from 1, and both ends are included. */
  readonly readTextFile: (
    options: PathOptions & {
      readonly encoding?: string
      readonly startLine?: number
      readonly endLine?: number
    },
  ) => PromiseLike<string | null>
  /** Writing creates the folders of a file, and replaces its content. */
  readonly writeFile: (
    options: PathOptions & { readonly content: ReadableStream<Uint8Array> },
  ) => PromiseLike<void>
  readonly writeBinaryFile: (
    options: PathOptions & { readonly content: Uint8Array },
  ) => PromiseLike<void>
  readonly writeTextFile: (
    options: PathOptions & { readonly content: string; readonly encoding?: string },
  ) => PromiseLike<void>
  /** Follows links. Resolves to null when there is nothing. */
  readonly stat: (options: PathOptions) => PromiseLike<SandboxFileStat | null>
  /** Resolves to null when there is no such folder, and rejects when the path is not one. */
  readonly listDirectory: (options: PathOptions) => PromiseLike<SandboxDirectoryEntry[] | null>
  /** Resolves to false when there is no such file, and rejects when the path is a folder. */
  readonly deleteFile: (options: PathOptions) => PromiseLike<boolean>
  /** Starts a command. With `stdin: true` the process has a `stdin`. */
  readonly spawn: {
    (options: SpawnOptions & { readonly stdin: true }): PromiseLike<WritableSandboxProcess>
    (options: SpawnOptions & { readonly stdin?: false }): PromiseLike<SandboxProcess>
    (options: SpawnOptions): PromiseLike<SandboxProcess | WritableSandboxProcess>
  }
  /** Runs a command until it ends. */
  readonly run: (
    options: SandboxCommand,
  ) => PromiseLike<{ exitCode: number; stdout: string; stderr: string }>
}

interface PathOptions {
  readonly path: string
  readonly abortSignal?: AbortSignal
}

/** A command for a shell. */
export interface SandboxCommand {
  readonly command: string
  readonly workingDirectory?: string
  /** Variables in addition to those of the sandbox. */
  readonly env?: Record<string, string>
  /** Folders that it may read behind a fence, in addition to that of the sandbox. */
  readonly reads?: readonly string[]
  readonly abortSignal?: AbortSignal
}

interface SpawnOptions extends SandboxCommand {
  readonly stdin?: boolean
}

export interface SandboxFileStat {
  type: 'file' | 'directory' | 'other'
  size: number
}

export interface SandboxDirectoryEntry {
  name: string
  type: 'file' | 'directory' | 'symlink' | 'other'
}

/** A started command. */
export interface SandboxProcess {
  readonly pid?: number
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  wait(): PromiseLike<{ exitCode: number }>
  kill(): PromiseLike<void>
}

export interface WritableSandboxProcess extends SandboxProcess {
  readonly stdin: WritableStream<Uint8Array>
}

/** Returns the sandbox of a call: that of the AI SDK's run (`experimental_sandbox`), else the given one. */
export function callSandbox(
  { aiSdk }: Pick<ToolContext, 'aiSdk'>,
  given: SandboxSession | undefined,
): SandboxSession | undefined {
  return (aiSdk?.experimental_sandbox as SandboxSession | undefined) ?? given
}

/** Returns the sandbox of a call, and fails when there is none. */
export function sessionFor(
  context: Pick<ToolContext, 'aiSdk'>,
  given: SandboxSession | undefined,
): SandboxSession {
  const session = callSandbox(context, given)
  if (session !== undefined) return session
  throw new ToolError('UNAVAILABLE', 'The host has given no sandbox for files and commands.', {
    details: { code: 'sandbox-missing' },
  })
}

/** Decodes a text, or some of its lines: from 1, both ends included. */
export function decodeLines(
  bytes: Uint8Array,
  {
    encoding = 'utf-8',
    startLine = 1,
    endLine = Infinity,
  }: {
    readonly encoding?: string | undefined
    readonly startLine?: number | undefined
    readonly endLine?: number | undefined
  },
): string {
  const text = Buffer.from(bytes).toString(encoding as BufferEncoding)
  if (startLine <= 1 && endLine === Infinity) return text
  return text
    .split('\n')
    .slice(Math.max(1, startLine) - 1, endLine)
    .join('\n')
}

/** Returns true when a person is asked before something changes in a sandbox: it may be of the host. */
export function asksIn(sandbox: SandboxSession | undefined): boolean {
  return sandbox?.isolation !== 'memory'
}
