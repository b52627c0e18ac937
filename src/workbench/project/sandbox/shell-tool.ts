import { z } from 'zod'
import { defineTool, type Tool, ToolError } from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { collectRun } from './collect-run.ts'
import { sandboxError } from './file-tools.ts'
import { commandOfSkills } from './with-skill-folders.ts'
import { asksIn, callSandbox, type SandboxSession, sessionFor } from './sandbox-session.ts'

/** Options of the shell tool. */
export interface ShellToolOptions {
  /** The sandbox of the commands. That of the AI SDK's run (`experimental_sandbox`) goes before it. */
  readonly sandbox?: SandboxSession
  /** `Bash` by default. */
  readonly name?: string
  /** The longest time that a command may take, in milliseconds, and the usual one; 120,000 by default. */
  readonly timeoutMs?: number
  /** Bytes of each stream to keep: the first and the last half; 32,768 by default. */
  readonly maxBytes?: number
  /** Bytes of output after which a command is ended; 10,485,760 by default. */
  readonly floodBytes?: number
}

const OPTIONS: OptionsOf<ShellToolOptions> = {
  sandbox: 'object',
  name: 'text',
  timeoutMs: 'number',
  maxBytes: 'number',
  floodBytes: 'number',
}

/** Milliseconds for a sandbox to end a command. */
const OVERHEAD_MS = 15_000

/**
 * Returns a tool that runs commands in the shell of a sandbox.
 *
 * A person is asked before each command, unless a rule allows it or the sandbox is in memory. An exit code is an
 * answer. A command that takes too long or writes too much is ended, and with it all that it started.
 */
export function shellTool(options: ShellToolOptions = {}): Tool {
  checkOptions(options, OPTIONS)
  const {
    sandbox,
    name = 'Bash',
    timeoutMs = 120_000,
    maxBytes = 32_768,
    floodBytes = 10_485_760,
  } = options
  return defineTool({
    name,
    description:
      'Run a command in a shell. Returns its exit code and output, cut in the middle when long. Each command starts in the same folder, and nothing that it started goes on after it.',
    category: 'action',
    // The risk of a command in memory is that to a copy.
    risk: sandbox !== undefined && !asksIn(sandbox) ? 'moderate' : 'destructive',
    topic: 'files',
    requiresConfirmation: (_, context) => asksIn(callSandbox(context, sandbox)),
    unknownArguments: 'strip',
    timeoutMs: timeoutMs + OVERHEAD_MS,
    inputSchema: z.object({
      command: z.string().min(1).max(100_000),
      timeout: z
        .int()
        .min(1)
        .optional()
        .describe(`Milliseconds it may take; ${timeoutMs} at most, and if absent.`),
    }),
    preview: ({ command }) => command,
    async execute({ command, timeout = timeoutMs }, context) {
      const { signal } = context
      const limits = { timeoutMs: Math.min(timeout, timeoutMs), maxBytes, floodBytes }
      const session = sessionFor(context, sandbox)
      const run = await commandOfSkills(command, context, session)
        .then((request) => session.spawn(request))
        .then((started) => collectRun(started, limits, signal))
        .catch((error: unknown) => {
          throw sandboxError(error)
        })
      const { exitCode, stdout, stderr, left } = run
      switch (run.ended) {
        case 'timed-out':
          throw new ToolError(
            'TIMEOUT',
            `The command took more than ${limits.timeoutMs} ms, and was ended.`,
            {
              details: { code: 'command-timed-out', stdout, stderr },
            },
          )
        case 'too-much-output':
          throw new ToolError('BAD_OUTPUT', 'The command wrote too much, and was ended.', {
            details: { code: 'command-flooded', stdout, stderr },
          })
        case 'aborted':
          throw new ToolError('ABORTED', 'The command was ended, because the call was.')
        case 'stays':
        case 'exited':
          return { exitCode, stdout, stderr, ...(left && { ended: left }) }
      }
    },
  }) as Tool
}
