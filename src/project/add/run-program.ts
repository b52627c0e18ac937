import { execFile } from 'node:child_process'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** Variables of the environment that `git` and `npm` need to reach a server as the user does. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|TMPDIR|TEMP|TMP|SYSTEMROOT|APPDATA|USERPROFILE|XDG_CONFIG_HOME|SSH_AUTH_SOCK|NODE_EXTRA_CA_CERTS|(?:HTTPS?|ALL|NO)_PROXY|NPM_CONFIG_(?:REGISTRY|USERCONFIG|CACHE))$/iu

interface ProgramRequest {
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  readonly maxBytes?: number
}

/** Milliseconds that a program may take. */
const TIME_LIMIT = 300_000

/**
 * Runs `git` or `npm` and returns what it printed. No shell is involved, and only a few variables of the environment
 * are passed on. Throws `PROGRAM_MISSING`, and `SOURCE_UNREADABLE` with the last lines that the program printed.
 */
export function runProgram(
  program: 'git' | 'npm',
  { arguments: words, cwd, environment, input, maxBytes = 16 * 1024 * 1024 }: ProgramRequest,
): Promise<Buffer> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  const options = {
    cwd,
    env: { ...Object.fromEntries(passed), ...environment },
    encoding: 'buffer' as const,
    maxBuffer: maxBytes,
    timeout: TIME_LIMIT,
    killSignal: 'SIGKILL' as const,
  }
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(failed(program, error, stderr.toString('utf8')))
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input ?? '')
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
  })
}

/** Removes the name and password from addresses in a text. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^\s@/]*@/gu, '$1')
}
