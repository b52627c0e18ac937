import { dirname, join, resolve } from 'node:path'
import { chooseLog, type LogChoice, type Purpose } from './choose-log.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { CommonOptions } from '../shell/common-options.ts'
import { whileReading } from '../shell/progress-line.ts'
import { reportDiagnostics, reportNotices } from '../shell/report-diagnostics.ts'
import { selectEnvironment } from '../../kernel/substitute-variables.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SessionOptions } from '../../playground/session/apply-changes.ts'
import type { Project, ProjectOptions } from '../../project/folders/open-project.ts'
import type { OpeningNotice } from '../../workspace/open/opening-notice.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** What a command works on. */
export interface OpenSession {
  readonly project: Project
  readonly workspace: VirtualWorkspace
  readonly counter: TokenCounter
  /** What the project was read from, and how, to read it again. */
  readonly paths: readonly string[]
  readonly reading: ProjectOptions
  /** How the session was opened, to open it again on other skills. */
  readonly options: SessionOptions
  /** Where a session that was begun now is kept, for people; null for any other. */
  readonly begunIn: string | null
}

/**
 * Read what stands at the paths, open the session that the options mean, and activate what
 * `--activate` names. Throws the refusal of one that is refused.
 *
 * @param settings `follow`: take up what other processes append, where the log can tell of it
 */
export async function openSession(
  paths: readonly string[],
  options: CommonOptions,
  context: CliContext,
  purpose: Purpose = 'look',
  settings: { readonly follow?: boolean } = {},
): Promise<OpenSession> {
  const choice = await chooseLog(options, purpose, context)
  const [
    { openDefinitions },
    { openTrustStore },
    { openApprovals },
    { VirtualWorkspace },
    { o200kCounter },
    { createMemoryLog },
    { secretsFromEnvironment },
  ] = await Promise.all([
    import('../../project/open-definitions.ts'),
    import('../../project/trust/trust-store.ts'),
    import('../../project/trust/folder-approvals.ts'),
    import('../../workspace/virtual-workspace.ts'),
    import('../../workspace/open/o200k-counter.ts'),
    import('../../workspace/log/memory-log.ts'),
    import('../../project/config/environment-variables.ts'),
  ])
  const given = [...paths, ...(options.path ?? [])].map((path) => resolve(context.cwd, path))
  const { trustFile, cwd, home, env } = context
  const reading: ProjectOptions = {
    project: cwd,
    home,
    trustStore: openTrustStore(trustFile === undefined ? {} : { file: trustFile }),
    ...(options.trust === true && { trusted: true }),
  }
  const own = await (context.counter ?? o200kCounter)()
  const project = await whileReading(context, (onFolder) =>
    openDefinitions(given, { ...reading, counter: own, onFolder }),
  )
  const { config, catalog } = project
  const quiet = options.json === true
  // What is kept of a session tells of skills by itself.
  const isKept = options.log !== undefined || options.session !== undefined
  const wants = isKept && given.length === 0 ? 'anything' : 'skills'
  if (!quiet) reportDiagnostics(project, options.verbose === true, context, wants)
  refuseMissingAgent(choice, options, project)
  const counter = project.counter ?? own
  const { log = createMemoryLog(), principal } = choice.where
  const opened: SessionOptions = {
    log,
    ...(principal !== undefined && { principal }),
    services: config.services,
    permissions: config.permissions,
    modes: config.modes,
    approvals: openApprovals(trustFile === undefined ? {} : approvalsFolder(trustFile)),
    tokenCounter: counter,
    redact: { secrets: secretsFromEnvironment(env) },
    variables: new Map([
      ...selectEnvironment(env, config.environment),
      ...Object.entries(config.variables),
      ...(options.var ?? []),
    ]),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(settings.follow === true && log.follow !== undefined && { follow: true }),
  }
  const workspace = await VirtualWorkspace.open({
    ...choice.where,
    ...opened,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    catalog,
  })
  const isWithoutAgent = choice.agent !== null && workspace.agent === null
  const notices = [
    ...choice.notices,
    ...(isWithoutAgent ? [WITHOUT_AGENT] : []),
    ...workspace.notices,
  ]
  if (!quiet) reportNotices(notices, context)
  for (const skill of options.activate ?? []) {
    await activateAsUser(workspace, skill).catch((error: unknown) => {
      // It is there already, as an initial skill or by an earlier option: what was asked for.
      if (!WorkspaceError.is(error) || error.code !== 'skill-already-active') throw error
    })
  }
  const { begunIn } = choice
  return { project, workspace, counter, paths: given, reading, options: opened, begunIn }
}

/** Whoever keeps trust elsewhere keeps approvals there, too. */
function approvalsFolder(trustFile: string): { readonly folder: string } {
  return { folder: join(dirname(trustFile), 'approvals') }
}

/** An agent that is missing is more often untrusted than absent, and the error says so. */
function refuseMissingAgent(
  { agent, where }: LogChoice,
  options: CommonOptions,
  { catalog, diagnostics }: Project,
): void {
  const isNeeded = options.agent !== undefined || where.readOnly !== true
  if (agent === null || catalog.agents.has(agent) || !isNeeded) return
  const untrusted = diagnostics.find(({ code }) => code === 'config-untrusted')
  if (untrusted !== undefined) {
    throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${agent}" so far.`, {
      facts: { agent },
      hint: `${untrusted.message} ${untrusted.hint}`,
    })
  }
  if (options.agent !== undefined) return
  throw new WorkspaceError(
    'AGENT_UNKNOWN',
    `The session runs as the agent "${agent}", which is not known here.`,
    { facts: { agent }, hint: WHERE_AGENTS_ARE },
  )
}

const WHERE_AGENTS_ARE = 'Give the folder that defines it, and --trust if that is code.'

/** A log is shown even where its agent is not known. */
const WITHOUT_AGENT: OpeningNotice = {
  code: 'agent-unknown',
  message: 'The agent of the log is not known here: the session is shown as without one.',
  hint: WHERE_AGENTS_ARE,
}

/** Activate a skill as the user; throws the refusal. */
export async function activateAsUser(workspace: VirtualWorkspace, skill: string): Promise<void> {
  const outcome = await workspace.activateSkill(skill, { by: 'user' })
  if (outcome.ok) return
  const { code, message, hint, facts } = outcome
  throw new WorkspaceError(code, message, { hint, facts })
}
