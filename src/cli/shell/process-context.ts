import { Console } from 'node:console'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CliContext, ProcessContext } from './cli-context.ts'
import { wantsColour } from './paint.ts'
import { reportError } from './report-error.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { o200kCounter } from '../../workspace/open/o200k-counter.ts'

/** Columns where no terminal says how many. */
const COLUMNS = 80

/** Milliseconds that what a handler left running is given after the command is done. */
const GRACE_MS = 1000

/**
 * The context of this process. It also sees to the ends a process can come to: a reader that
 * goes away (`loadout prompt | head -1`) is no error, a stray rejection is told in one line, and
 * what a handler left running cannot keep the process alive. Standard output is for answers
 * alone, so the console of trusted code goes to stderr.
 */
export function processContext(json: boolean): ProcessContext {
  const { stdin, stdout, stderr, env } = process
  let failure: Error | null = null
  stdout.on('error', (error) => {
    if (!isReaderGone(error)) failure ??= error
  })
  stderr.on('error', () => {})
  globalThis.console = new Console(stderr, stderr)
  const isTerminal = stdout.isTTY === true
  const context: ProcessContext = {
    stdout,
    stderr,
    stdin,
    env,
    cwd: process.cwd(),
    home: homedir(),
    counter: () => openCachedCounter(cacheFolder({ env, home: homedir() })),
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

/** Its counts are kept however the process ends, unless it is killed. */
async function openCachedCounter(folder: string | null): Promise<TokenCounter> {
  if (folder === null) return o200kCounter()
  const { openCachedCounter } = await import('../../project/open-cached-counter.ts')
  const counter = openCachedCounter(join(folder, 'token-counts'))
  process.once('exit', () => counter.keep())
  return counter
}

/** `ERR_STREAM_DESTROYED` is what writes after the first `EPIPE` end with. */
function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}

/** Where what can be worked out anew is kept from one run to the next; null where there is no home. */
export function cacheFolder({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const given = env['XDG_CACHE_HOME']
  const folder = given !== undefined && given !== '' ? given : home && join(home, '.cache')
  return folder === null ? null : join(folder, 'loadout')
}
