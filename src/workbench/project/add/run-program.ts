import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { BoundedOutput, readAll } from '../sandbox/collect-run.ts'
import { startProcess } from '../../../connections/processes/start-process.ts'

/** Variables of the environment that `git` and `npm` need to reach a server as the user does. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|TMPDIR|TEMP|TMP|SYSTEMROOT|APPDATA|USERPROFILE|XDG_CONFIG_HOME|SSH_AUTH_SOCK|NODE_EXTRA_CA_CERTS|(?:HTTPS?|ALL|NO)_PROXY|NPM_CONFIG_(?:REGISTRY|USERCONFIG|CACHE))$/iu

interface ProgramRequest {
  readonly arguments: readonly string[]
  /** A folder of its own: what it writes there is bounded. */
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** Bytes that it may print. */
  readonly maxBytes?: number
  /** Bytes that the files in `cwd` may have; 512 MiB by default. */
  readonly maxFileBytes?: number
}

/** Milliseconds that a program may take. */
const TIME_LIMIT = 300_000

/** Milliseconds between two looks at the files that it writes. */
const LOOK_MS = 200

/** Milliseconds that it may take to clean up. */
const GRACE_MS = 1_000

const MOST_PRINTED = 16 * 1024 * 1024

const MOST_FETCHED = 512 * 1024 * 1024

/**
 * Runs `git` or `npm` and returns what it printed. No shell is involved, and only a few variables of the environment
 * are passed on. What it started ends with it. Throws `PROGRAM_MISSING`, `SOURCE_TOO_LARGE`, and `SOURCE_UNREADABLE`
 * with the last lines that the program printed.
 */
export async function runProgram(
  program: 'git' | 'npm',
  {
    arguments: words,
    cwd,
    environment,
    input = '',
    maxBytes = MOST_PRINTED,
    maxFileBytes = MOST_FETCHED,
  }: ProgramRequest,
): Promise<Buffer> {
  const passed = Object.entries(process.env).flatMap(([name, value]) =>
    PASSED_ON.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  const started = await startProcess({
    command: program,
    arguments: words,
    cwd,
    environment: { ...Object.fromEntries(passed), ...environment },
    graceMs: GRACE_MS,
  }).catch((error: unknown) => {
    throw failed(program, error as Error, '')
  })
  let fault: WorkspaceError | undefined
  const end = (why: WorkspaceError) => {
    fault ??= why
    void started.kill()
  }
  const look = async () => {
    if ((await bytesBelow(cwd)) > maxFileBytes) end(tooLarge(maxFileBytes))
  }
  const looking = setInterval(() => void look(), LOOK_MS)
  const late = setTimeout(() => {
    const why = `${program} took more than ${TIME_LIMIT} ms.`
    const hint = 'Try again, or copy the skills into a folder, and add that.'
    end(new WorkspaceError('SOURCE_UNREADABLE', why, { facts: { program }, hint }))
  }, TIME_LIMIT)
  const printed: Uint8Array[] = []
  const errors = new BoundedOutput(MOST_ERRORS)
  let bytes = 0
  const writer = started.stdin.getWriter()
  void writer
    .write(new TextEncoder().encode(input))
    .then(() => writer.close())
    .catch(() => undefined)
  const [{ exitCode }] = await Promise.all([
    started.wait(),
    readAll(started.stdout, (chunk) => {
      bytes += chunk.length
      if (bytes > maxBytes) end(tooLarge(maxBytes))
      else printed.push(chunk)
    }),
    readAll(started.stderr, (chunk) => errors.add(chunk)),
  ])
  clearInterval(looking)
  clearTimeout(late)
  await look()
  if (fault !== undefined) throw fault
  if (exitCode !== 0) throw failed(program, new Error(`it exited with ${exitCode}.`), errors.text())
  return Buffer.concat(printed)
}

/** Bytes of error messages that are kept. */
const MOST_ERRORS = 65_536

/** Returns the bytes of the files below a folder. A file that is gone meanwhile has none. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const found = await Promise.all(
    files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => null)),
  )
  return found.reduce((sum, one) => sum + (one?.size ?? 0), 0)
}

function tooLarge(bytes: number): WorkspaceError {
  return new WorkspaceError('SOURCE_TOO_LARGE', `The source has more than ${bytes} bytes.`, {
    facts: { bytes },
    hint: 'Copy its skills into a folder, and add that.',
  })
}

function failed(program: string, error: Error, printed: string): WorkspaceError {
  if ('code' in error && error.code === 'ENOENT') {
    return new WorkspaceError('PROGRAM_MISSING', `"${program}" is not installed.`, {
      facts: { program },
      hint: `Install ${program}, or copy the skills from a folder.`,
    })
  }
  const lines = printed.trim().split('\n').slice(-5).map(withoutCredentials)
  const why = lines.join(' ') || withoutCredentials(error.message)
  return new WorkspaceError('SOURCE_UNREADABLE', `${program} failed: ${why}`, {
    facts: { program, printed: lines },
    hint: 'Check the address, the reference and your access to it.',
    cause: error,
  })
}

/** Removes the name and password from addresses in a text. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^\s@/]*@/gu, '$1')
}
