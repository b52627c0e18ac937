import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { ToolError } from 'loadout'

const TIME_LIMIT_MS = 10_000
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Settings under which reading a repository runs nothing that the repository names, and fetches
 * nothing over the network: its own configuration is content, like the rest of it.
 */
const CAREFUL = [
  '--no-pager',
  '--literal-pathspecs',
  ...['core.fsmonitor=false', 'log.showSignature=false', 'protocol.allow=never'].flatMap(
    (setting) => ['-c', setting],
  ),
]

/**
 * Run git in the root, without a shell, and return what it prints.
 *
 * A repository is looked for in the root itself and not above it, since what is above is not
 * the explorer's. (A worktree's or submodule's `.git` file is followed, as git does.)
 */
export function runGit(
  root: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const options = {
    cwd: root,
    env: environment(root),
    maxBuffer: MOST_BYTES,
    timeout: TIME_LIMIT_MS,
    signal,
  }
  return new Promise((resolve, reject) => {
    execFile('git', [...CAREFUL, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(failure(error, stderr, signal))
    })
  })
}

/** The surroundings git may see: none of the `GIT_*` variables that would move it elsewhere. */
function environment(root: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  } as Record<string, string>
}

function failure(
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
  signal: AbortSignal,
): ToolError {
  if (signal.aborted) {
    return new ToolError('ABORTED', 'The call was given up before git was done.', {
      partialSideEffects: false,
    })
  }
  if (error.code === 'ENOENT') {
    return new ToolError('PERMANENT', 'The program git is not installed here.')
  }
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new ToolError('VALIDATION', 'The history asked for is too long; give a lower limit.')
  }
  if (error.killed === true) {
    return new ToolError('TIMEOUT', `git took longer than ${TIME_LIMIT_MS / 1000} seconds.`, {
      partialSideEffects: false,
    })
  }
  const said = stderr.trim().slice(0, 500)
  if (said.includes('not a git repository')) {
    return new ToolError('NOT_FOUND', 'The root is not a git repository, so it has no history.')
  }
  if (said.includes('dubious ownership')) {
    return new ToolError('AUTH', 'git refuses the repository: it belongs to another user.')
  }
  return new ToolError('PERMANENT', `git failed: ${said}`, { details: { stderr: said } })
}
