import { Console } from 'node:console'
import { isAbsolute, join } from 'node:path'
import { type TokenCounter, WorkspaceError } from '../../../entries/index.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import type { CliContext, ProcessContext } from './cli-context.ts'
import { wantsColour } from '../../report/writers/paint.ts'
import { reportError } from './report-error.ts'
import { errorCode } from '../../../entries/kit.ts'
import { userHome } from '../../project/walk/user-home.ts'

/** Columns of an output that is not a terminal. */
const COLUMNS = 80

/** Milliseconds that background work of a handler may take after the command has ended. */
const GRACE_MS = 1000

/**
 * Returns the context of this process and installs its handlers: a closed pipe
 * (`loadout prompt | head -1`) is not an error, an unhandled rejection is reported in one line, and
 * work that a handler left running cannot keep the process alive. Standard output is reserved for
 * results, so the console of trusted code writes to stderr. Throws `WORKING_FOLDER_GONE`.
 */
export function processContext(json: boolean): ProcessContext {
  const { stdin, stdout, stderr, env } = process
  let failure: Error | null = null
  stdout.on('error', (error) => {
    // After the first `EPIPE`, further writes fail with `ERR_STREAM_DESTROYED`.
    const code = errorCode(error)
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') failure ??= error
  })
  stderr.on('error', () => {})
  globalThis.console = new Console(stderr, stderr)
  const isTerminal = stdout.isTTY === true
  const home = userHome()
  const context: ProcessContext = {
    stdout,
    stderr,
    stdin,
    env,
    cwd: workingFolder(),
    home,
    counter: () => openCachedCounter(cacheFolder({ env, home })),
    isTerminal,
    columns: stdout.columns ?? COLUMNS,
    ...(isTerminal && stdin.isTTY === true && { terminal: { stdin, stdout, stderr } }),
    colour: wantsColour(env, isTerminal),
    onInterrupt(listener) {
      process.once('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    async finish() {
      await new Promise<void>((resolve) => stdout.write('', () => resolve()))
      if (failure !== null) throw failure
      setTimeout(() => process.exit(), GRACE_MS).unref()
    },
  }
  process.on('uncaughtException', (error) => {
    reportError(error, json, context)
    process.exit(1)
  })
  return context
}

/** Returns the working folder. Throws `WORKING_FOLDER_GONE` when it was deleted. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new WorkspaceError('WORKING_FOLDER_GONE', 'The working directory no longer exists.', {
      hint: 'Change to another one, with cd.',
      cause,
    })
  }
}

/** Opens a counter that saves its counts when the process exits. */
async function openCachedCounter(folder: string | null): Promise<TokenCounter> {
  if (folder === null) return o200kCounter()
  const { openCachedCounter } = await import('../../project/open-cached-counter.ts')
  const counter = openCachedCounter(join(folder, 'token-counts'))
  process.once('exit', () => counter.keep())
  return counter
}

/** Returns the cache folder; null without a home folder. */
export function cacheFolder({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const { XDG_CACHE_HOME: given = '' } = env
  if (isAbsolute(given)) return join(given, 'loadout')
  return home === null ? null : join(home, '.cache', 'loadout')
}
