import { realpath, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { z } from 'zod'
import {
  createCatalog,
  createRedactor,
  defineAgent,
  defineTool,
  type Tool,
  ToolError,
  type WorkspaceOptions,
} from '../../../../entries/index.ts'
import { errorCode } from '../../../../entries/kit.ts'
import { CLIENT_NAMES } from '../../../../connections/clients/client-profile.ts'
import { mainSessions } from '../../opening/find-session.ts'
import { openLog, stateFolder } from '../../opening/open-log.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { reportError } from '../../shell/report-error.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import { isInside } from '../../../project/walk/is-inside.ts'
import { findRepository } from '../../../project/walk/link-reach.ts'
import { reportCommand } from '../report/report-command.ts'
import { diffCommand } from '../diff/diff-command.ts'
import { skillsCommand } from '../skills-command.ts'
import { whyCommand } from '../why-command.ts'

/** The session that is asked about. */
const SESSION = {
  agent: z
    .enum([...CLIENT_NAMES, 'recording'])
    .optional()
    .describe(
      'The agent whose session it is; recording: what loadout watch wrote. Default: the agent that wrote last.',
    ),
  session: z.string().min(4).optional().describe('The id of a session. Default: the last one.'),
  project: z
    .string()
    .min(1)
    .optional()
    .describe('The absolute path of another folder. Give it only when the person names one.'),
}

type Asked = Readonly<z.output<z.ZodObject<typeof SESSION>>>

const ENTRY = z.int().nonnegative()

/** Its prompt says when a model should ask. */
const OBSERVER = defineAgent({
  name: 'observer',
  // Each is listed from the start.
  pinned: ['*'],
  prompt: `These tools read the sessions of agents on this machine, of which yours is one, and change nothing. Answer from them when a person asks why a skill was not used or a tool not called, which skills there are and what they take, or what changed between two requests. Without arguments they are about the session that was written last in this folder. Pass on the reason and the line after "fix:" without changes. What a transcript does not have is unknown: do not guess it.`,
})

/**
 * Returns the options of a workspace with the tools by which a model asks about the sessions of agents on this machine.
 * Each answers with what a command prints, without secrets; they change nothing.
 */
export async function observingWorkspace(
  context: CliContext,
): Promise<Pick<WorkspaceOptions, 'catalog' | 'agent' | 'metaTools'>> {
  const catalog = await createCatalog({ tools: makeTools(context) })
  return { catalog, agent: OBSERVER, metaTools: [] }
}

function makeTools(context: CliContext): readonly Tool[] {
  const fields = { category: 'retrieval', timeoutMs: ANSWER_MS } as const
  return [
    defineTool({
      ...fields,
      name: 'why',
      description:
        'Explains why a skill or a tool of this session was or was not used: whether it is there, in which requests the model was shown it, what the model did with it, and what changes that. Use it when a person asks why a skill did not trigger, or why a tool was not called.',
      inputSchema: z.object({
        name: z.string().min(1).describe('The name of the skill or the tool.'),
        kind: z.enum(['skill', 'tool']).optional(),
        ...SESSION,
      }),
      execute: ({ name, kind, ...asked }) =>
        answer(whyCommand, asked.project, context, async (own) => ({
          words: [name],
          options: { ...(await findAsked(asked, own)), ...(kind && { [kind]: true as const }) },
        })),
    }),
    defineTool({
      ...fields,
      name: 'skills',
      description:
        'Lists the skills that the model of this session was shown, with the description it read of each, which are loaded, and their tokens. Use it when a person asks which skills there are, or what they take.',
      inputSchema: z.object(SESSION),
      execute: (asked) =>
        answer(skillsCommand, asked.project, context, async (own) => ({
          words: [],
          options: await findAsked(asked, own),
        })),
    }),
    defineTool({
      ...fields,
      name: 'cost',
      description:
        'Reports what skills, servers, tools, memory files and system texts cost in this session, or in all sessions of the project: tokens, how often each was used, and each miss of the cache with its cause; over sessions also skills that are dead or were missed, and changes that would cost less. Use it when a person asks what fills the context, or what costs so much.',
      inputSchema: z.object({
        over: z.enum(['session', 'project']).optional().describe('Default: session.'),
        ...SESSION,
      }),
      execute: ({ over = 'session', ...asked }) =>
        answer(reportCommand, asked.project, context, async (own) => {
          if (over === 'project') {
            const words = asked.agent === undefined ? [] : [asked.agent]
            return { words, options: { project: await projectRoot(own) } }
          }
          const { log, session } = await findAsked(asked, own)
          return { words: [log], options: { session } }
        }),
    }),
    defineTool({
      ...fields,
      name: 'diff',
      description:
        'Compares two moments of this session: tools, instructions and their tokens, and how much of the cache was kept. Use it when a person asks what changed, or what broke the cache. Numbers of entries are those that why prints after "#".',
      inputSchema: z.object({
        from: ENTRY.describe('The entry of the first moment.'),
        to: ENTRY.optional().describe('The entry of the second one. Default: the last entry.'),
        ...SESSION,
      }),
      execute: ({ from, to, ...asked }) =>
        answer(diffCommand, asked.project, context, async (own) => {
          const { log, session } = await findAsked(asked, own)
          const words = [`${session}@${from}`, to === undefined ? session : `${session}@${to}`]
          return { words, options: { log } }
        }),
    }),
  ]
}

/** Milliseconds for an answer about a long session. */
const ANSWER_MS = 120_000

/** A session of a log, as options name it. */
interface LogSession {
  readonly log: string
  readonly session: string
}

/** Returns what a command prints in a project. Throws a `ToolError` with what it reports. */
async function answer<Options>(
  command: CliCommand<Options>,
  project: string | undefined,
  context: CliContext,
  request: (own: CliContext) => Promise<{
    readonly words: readonly string[]
    readonly options: Options
  }>,
): Promise<string> {
  const { text } = createRedactor()
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const ends: (() => Promise<void>)[] = []
  const own: CliContext = {
    ...context,
    cwd: await realpath(resolve(context.cwd, project ?? '.')).catch((error: unknown) => {
      throw new ToolError('VALIDATION', `"${project}" is no folder: ${errorCode(error)}.`)
    }),
    stdout: { write: (written) => stdout.push(written) },
    stderr: { write: (written) => stderr.push(written) },
    isTerminal: false,
    colour: false,
    onEnd: (work) => void ends.unshift(work),
  }
  try {
    await command.run({ ...(await request(own)), context: own })
  } catch (error) {
    reportError(error, false, own)
  } finally {
    for (const end of ends) await end()
  }
  // Without these lines, figures would be taken for those of all files.
  const unread = stderr.filter((line) => line.startsWith('not read: '))
  if (stdout.length > 0) return text([...stdout, ...unread].join(''))
  throw new ToolError('NOT_FOUND', text(stderr.join('').trim()))
}

/** Returns the repository of the current folder; outside of one, the folder itself. */
async function projectRoot({ cwd, home }: CliContext): Promise<string> {
  return (await findRepository(cwd, home)).root ?? cwd
}

/** Finds the session that is asked about; without an id that of the agent that wrote last in the project. */
async function findAsked(asked: Asked, context: CliContext): Promise<LogSession> {
  const { agent, session } = asked
  const { cwd, home } = context
  const { root } = await findRepository(cwd, home)
  // Outside of a repository, a folder below may be another project.
  const belongs = (folder: string) => (root === null ? folder === cwd : isInside(root, folder))
  for (const log of await findFiles(asked, belongs, context)) {
    const found = await sessionIn(log, session, belongs, context)
    if (found !== null) return { log, session: found }
  }
  const which = session === undefined ? 'No session' : `No session "${session}"`
  throw wrongUsage(
    `${which} of ${agent ?? 'an agent'} in ${root ?? cwd} was found.`,
    'Give the folder in which it ran as project.',
  )
}

/** Returns true for the folder of a session of the project. */
type Belongs = (folder: string) => boolean

/** Returns the transcripts of a project and its recording, the last changed first. */
async function findFiles(
  { agent, session }: Asked,
  belongs: Belongs,
  context: CliContext,
): Promise<readonly string[]> {
  const [{ findTranscripts }, { latestRecording }] = await Promise.all([
    import('../../../../connections/observed/transcripts/find-transcripts.ts'),
    import('../../opening/new-recording.ts'),
  ])
  const { cwd, home, env } = context
  const clients = CLIENT_NAMES.filter((one) => agent === undefined || one === agent)
  const found = await Promise.all(
    clients.map((client) => (home === null ? [] : findTranscripts(client, home, env))),
  )
  const files = found.flat().filter(
    ({ project, file }) =>
      isDatabase(file) ||
      // The files of the others have the id of their session in their names.
      (belongs(project ?? '') && (session === undefined || file.includes(session))),
  )
  const isAny = agent === undefined || agent === 'recording'
  const state = stateFolder(context)
  const root = await projectRoot(context)
  const recording = isAny
    ? ((await latestRecording(cwd, state)) ?? (await latestRecording(root, state)))
    : null
  const changedAt = recording === null ? 0 : (await stat(recording)).mtimeMs
  return [...files, ...(recording === null ? [] : [{ file: recording, changedAt }])]
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .map(({ file }) => file)
}

/** Returns true for a file with the sessions of all folders. */
function isDatabase(file: string): boolean {
  return extname(file) === '.db'
}

/** Returns the id of a session of the project in a file: the one that begins as given, or the last one. Null without it. */
async function sessionIn(
  log: string,
  wanted: string | undefined,
  belongs: Belongs,
  context: CliContext,
): Promise<string | null> {
  const open = await openLog(log, { purpose: 'look' }, context)
  if (open === null) return null
  const sessions = (await open.log.list()).toSorted((a, b) => b.changedAt - a.changedAt)
  const ids =
    wanted === undefined
      ? await mainSessions(open, sessions)
      : sessions.map(({ session }) => session).filter((id) => id.startsWith(wanted))
  for (const id of ids) {
    const [first] = await open.log.read(id, 0, 0)
    const observed = first?.event.type === 'session.opened' ? first.event.observed : undefined
    const folder = observed?.folder
    if (folder === undefined ? !isDatabase(log) : belongs(folder)) return id
  }
  return null
}
