import { dirname, join } from 'node:path'
import {
  type Catalog,
  type OpeningNotice,
  type PolicyOptions,
  type TokenCounter,
  type VirtualWorkspace,
  WorkspaceError,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import { sanitiseLine, selectEnvironment } from '../../../entries/kit.ts'
import { chooseLog, type LogChoice, type Purpose } from './choose-log.ts'
import { resolveReading } from './open-catalog.ts'
import { observedOnly } from './open-log.ts'
import { agentObserved, isShownFromLog, noticesAbout } from './read-stored-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { OpeningOptions } from '../shell/opening-options.ts'
import { whileReading } from '../shell/progress-line.ts'
import { reportDiagnostics, reportNotices } from '../shell/report-diagnostics.ts'
import type { ForkDesk } from '../../playground/chat/open-chat.ts'
import type { SessionOptions } from '../../playground/session/apply-changes.ts'
import type { SkillTrust } from '../../project/open-skill-trust.ts'
import type { ProjectConfig } from '../../project/config/define-config.ts'
import type { Project, ProjectOptions } from '../../project/folders/open-project.ts'
import type { Scenario } from '../../project/scenarios/read-scenario.ts'

/** A session that a command has opened, with the project that it was opened on. */
export interface OpenSession {
  readonly project: Project
  readonly workspace: VirtualWorkspace
  readonly counter: TokenCounter
  /** The paths and options of the project, to read it again. */
  readonly paths: readonly string[]
  readonly reading: ProjectOptions & Required<Pick<ProjectOptions, 'switches'>>
  /** The options of the session, to open it again on another catalog. */
  readonly options: SessionOptions
  /** The name of the log of a newly created session; null for any other session. */
  readonly createdIn: string | null
  /** False for a session that is opened read-only. */
  readonly live: boolean
  /** The trust in the folders of its skills, where a person is asked before they are activated; else null. */
  readonly trust: SkillTrust | null
  /** The scenario that is played on it; null for any other session. */
  readonly scenario: Scenario | null
  /** Gets the function that carries out skills with `context: fork`, from the conversation of the session. */
  readonly forks: ForkDesk
  /** True when the definitions are those of its log, since they are defined elsewhere. */
  readonly fromLog: boolean
}

/**
 * Reads the project at the paths, opens the session that the options select, and activates the skills
 * of `--activate`. Throws when an activation is refused.
 *
 * @param settings `follow`: read entries that other processes append, where the log supports it; `runs`: the
 *   command makes the calls of a model, and is the only process that does
 */
export async function openSession(
  paths: readonly string[],
  typed: OpeningOptions,
  context: CliContext,
  purpose: Purpose = 'look',
  settings: { readonly follow?: boolean; readonly runs?: boolean; readonly answers?: boolean } = {},
): Promise<OpenSession> {
  const { openScenario } = await import('../../playground/chat/open-scenario.ts')
  const played = await openScenario(paths, typed, context.cwd)
  const { options, words, scenario } = played
  const choice = await chooseLog(options, purpose, context)
  if (settings.runs && choice.stored && agentObserved(choice.stored)) {
    throw observedOnly(options.log ?? '')
  }
  const [
    { openDefinitions },
    { openApprovals },
    { openSkillSwitches, switchesFile },
    { openTrustStore },
    { VirtualWorkspace, createMemoryLog },
    { o200kCounter },
    { secretsFromEnvironment },
  ] = await Promise.all([
    import('../../project/open-definitions.ts'),
    import('../../project/trust/folder-approvals.ts'),
    import('../../project/config/skill-switches.ts'),
    import('../../project/trust/trust-store.ts'),
    import('../../../entries/index.ts'),
    import('../../../entries/plan.ts'),
    import('../../project/config/environment-variables.ts'),
  ])
  const { home, env, trustFile } = context
  const { paths: given, reading: withoutHome } = await resolveReading(words, options, context)
  const switches = openSkillSwitches(
    trustFile === undefined ? {} : { file: switchesFile(trustFile) },
  )
  const reading: OpenSession['reading'] = { ...withoutHome, home, parents: true, env, switches }
  const own = await (context.counter ?? o200kCounter)()
  const found = await whileReading(context, async (onFolder) =>
    played.change(await openDefinitions(given, { ...reading, counter: own }, onFolder)),
  )
  const recorded = await recordedSession(choice, found, options, purpose, given.length > 0)
  const { project, where } = recorded
  const { config, catalog } = project
  const quiet = options.json === true
  // A stored session has definitions of its own.
  const isStored = options.log !== undefined || options.session !== undefined
  const wants = isStored && given.length === 0 ? 'anything' : 'skills'
  if (!quiet) reportDiagnostics(project, options.verbose === true, context, wants)
  refuseMissingAgent({ ...choice, where }, options, project)
  const counter = project.counter ?? own
  const { log = createMemoryLog(), principal } = choice.where
  const rules: PolicyOptions = {
    permissions: config.permissions,
    modes: config.modes,
    mode: options.mode,
    // A stored session belongs to its host.
    ...(choice.stored !== null && { onResume: 'tighten' }),
  }
  const trust =
    settings.answers === true && options.trust !== true
      ? (await import('../../project/open-skill-trust.ts')).openSkillTrust(reading)
      : null
  const { settlePolicy } = await import('./settle-policy.ts')
  const policy = await settlePolicy(rules, { ...choice, where }, options, context)
  const forks: ForkDesk = { run: null }
  const opened: SessionOptions = {
    log,
    runSkill: (run) => forks.run?.(run) ?? null,
    ...(recorded.options ?? config.options),
    ...(options.provider !== undefined && { provider: options.provider }),
    ...(options.exposure !== undefined && { exposure: options.exposure }),
    ...(principal !== undefined && { principal }),
    services: config.services,
    ...(await (
      await import('./open-workspace-tools.ts')
    ).openWorkspaceTools(
      options.tools || config.tools.filter((one) => typeof one === 'string'),
      options,
      withoutHome.trustStore ?? openTrustStore(),
      context,
    )),
    // When it is opened again, the log has its rules, and not their places.
    policy: {
      modes: config.modes,
      permissions: { places: config.permissions.places ?? new Map() },
      ...(policy.onResume && { onResume: policy.onResume }),
    },
    // Approvals are stored next to the trust file.
    approvals: openApprovals(
      trustFile === undefined ? {} : { folder: join(dirname(trustFile), 'approvals') },
    ),
    tokenCounter: counter,
    redact: { secrets: secretsFromEnvironment(env) },
    variables: new Map([
      ...selectEnvironment(env, config.environment),
      ...Object.entries(config.variables),
      ...(options.var ?? []),
    ]),
    ...(settings.runs === true && { onlyProcess: true }),
    // The questions of running calls wait in the list of questions.
    ...(settings.answers === true && { client: { elicit: () => new Promise(() => undefined) } }),
    // The person who answers a question of this command sees the arguments of the call.
    ...(purpose === 'keep' && {
      confirmations: {
        keepArguments: true,
        ...(trust && {
          loading: async (skill) => (await trust.read(skill))?.lines.join('\n') ?? null,
        }),
      },
    }),
    // The entries of a session of another agent are made again when its file grows.
    ...(settings.follow === true &&
      log.follow !== undefined &&
      !agentObserved(choice.stored ?? []) && { follow: true }),
  }
  const workspace = await VirtualWorkspace.open({
    ...where,
    ...opened,
    policy,
    ...recorded.agent,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    catalog,
  })
  const isWithoutAgent = choice.agent !== null && workspace.agent === null
  const notices = [
    ...choice.notices,
    ...recorded.notices,
    ...(isWithoutAgent ? [WITHOUT_AGENT] : []),
    ...workspace.notices,
    ...(options.at === undefined ? changedOnDisk(workspace, project.catalog, options) : []),
  ]
  reportNotices(notices, quiet, context)
  for (const skill of options.activate ?? []) {
    const { activateNamed } = await import('../../playground/chat/activate-named.ts')
    await activateNamed(workspace, skill, 'preview').catch((error: unknown) => {
      // An initial skill, or one of an earlier option, is active already, as requested.
      if (!WorkspaceError.is(error) || error.code !== 'skill-already-active') throw error
    })
  }
  const live = where.readOnly !== true
  const fromLog = recorded.notices.some(isShownFromLog)
  const shared = { project, workspace, counter, paths: given, reading, options: opened }
  return { ...shared, createdIn: choice.createdIn, live, fromLog, trust, scenario, forks }
}

/** Returns notices of active skills that are shown as the session activated them, and whose files changed since. */
function changedOnDisk(
  { state, catalog }: VirtualWorkspace,
  disk: Catalog,
  { log, session }: OpeningOptions,
): readonly OpeningNotice[] {
  const given = [log && ` --log ${log}`, session && ` --session ${session}`]
    .filter(Boolean)
    .join('')
  return state.open.flatMap(({ source, owner, definition }) => {
    const now = disk.skills.get(owner)?.hash ?? definition
    const isShown = source === 'skill' && catalog.skills.get(owner)?.hash === definition
    if (!isShown || now === definition) return []
    return [
      {
        code: 'skill-on-disk',
        message: `The files of the active skill "${owner}" changed since the session activated it.`,
        hint: `Accept the new definition: loadout accept ${owner}${given}.`,
      },
    ]
  })
}

/** The definitions and the options with which a session is opened, and notices about them. */
interface RecordedSession {
  readonly project: Project
  readonly where: LogChoice['where']
  /** Of a session whose host recorded them; null for any other. */
  readonly options: ProjectConfig['options'] | null
  /** The agent to look at it with, which may be defined in code alone. */
  readonly agent: Pick<WorkspaceOptions, 'agent'>
  readonly notices: readonly OpeningNotice[]
}

/**
 * Returns the definitions and the options with which a session is opened.
 *
 * If skills of a stored session are defined elsewhere, such as in the code of its host, it is shown with
 * the definitions of its log, completed by those of the project with the same hashes: the command then
 * answers as the host would. The playground does not change such a session.
 *
 * @param isGiven the paths of definitions were given
 */
async function recordedSession(
  { stored, where, agent }: LogChoice,
  project: Project,
  options: OpeningOptions,
  purpose: Purpose,
  isGiven: boolean,
): Promise<RecordedSession> {
  const none = { project, where, options: null, agent: {}, notices: [] }
  if (stored === null || where.log === undefined) return none
  const { recordedOptions } = await import('../../../entries/index.ts')
  const recorded = await recordedOptions(where.log, stored, project.catalog)
  if (recorded === null) return none
  const { catalog, agent: own, ...given } = recorded
  const known = project.catalog.skills
  const isHere = catalog.skills.size > 0 && catalog.skills.keys().every((name) => known.has(name))
  const isLook = where.readOnly === true || (purpose === 'keep' && !isHere && !isGiven)
  const elsewhere = [...catalog.skills.keys()].filter((name) => !known.has(name))
  // The error for a missing agent says more.
  const hasAgent = agent === null || project.catalog.agents.has(agent)
  const isOther = hasAgent && catalog.skills.size > 0 && elsewhere.length === catalog.skills.size
  if (isOther && !isLook && purpose !== 'look' && options.policy !== 'replace') {
    // The session would run with the skills of another project.
    const message = `The session has the skills ${listed(elsewhere)}, and none of them is defined here.`
    throw new WorkspaceError('CATALOG_OTHER', message, {
      facts: { skills: elsewhere },
      hint: 'Give the folder of its agent. To see it as its log has it: loadout play --read-only. To continue it with these skills instead, add --policy replace.',
    })
  }
  const asAgent = options.agent !== undefined
  const shown = isLook && !asAgent && agent !== null && own !== undefined ? { agent: own } : {}
  if (agentObserved(stored) === undefined && (!isLook || isHere || isGiven)) {
    const isMissing = !isLook && purpose !== 'look' && elsewhere.length > 0
    const message = `The host of the session has skills that are not defined here: ${listed(elsewhere)}.`
    const notices = isMissing ? [{ code: 'skills-elsewhere', message, hint: '' }] : []
    return { ...none, options: given, agent: shown, notices }
  }
  return {
    // Findings about the project are not about the session.
    project: { ...project, catalog, diagnostics: [] },
    where: { ...where, readOnly: true },
    options: given,
    agent: shown,
    notices: noticesAbout(stored, catalog),
  }
}

function listed(skills: readonly string[]): string {
  const named = skills.slice(0, 5).map((skill) => `"${sanitiseLine(skill)}"`)
  const rest = skills.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Throws for a missing agent; the error says when its configuration is not trusted. */
function refuseMissingAgent(
  { agent, where }: LogChoice,
  options: OpeningOptions,
  { catalog, diagnostics }: Project,
): void {
  const isNeeded = options.agent !== undefined || where.readOnly !== true
  if (agent === null || catalog.agents.has(agent) || !isNeeded) return
  const untrusted = diagnostics.find(({ code }) => code === 'config-untrusted')
  if (untrusted !== undefined) {
    throw new WorkspaceError('AGENT_UNKNOWN', `No agent is named "${agent}" yet.`, {
      facts: { agent },
      hint: `${untrusted.message} ${untrusted.hint}`,
    })
  }
  if (options.agent !== undefined) return
  throw new WorkspaceError(
    'AGENT_UNKNOWN',
    `The session runs as the agent "${agent}", which is not defined here.`,
    { facts: { agent }, hint: WHERE_AGENTS_ARE },
  )
}

const WHERE_AGENTS_ARE = 'Give the folder that defines it, with --trust if it is defined in code.'

/** A stored session can be shown without the definition of its agent. */
const WITHOUT_AGENT: OpeningNotice = {
  code: 'agent-unknown',
  message: 'The agent of this session is not defined here. The session is shown without an agent.',
  hint: WHERE_AGENTS_ARE,
}
