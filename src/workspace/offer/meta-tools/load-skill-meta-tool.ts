import { isPermitted, openSkill } from '../../../engine/standing/assess-skill.ts'
import { skillsLoadedWith } from '../../../engine/standing/loading-effect.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { skillOf, type ToolRow, toolTable } from '../../../engine/standing/tool-table.ts'
import { textHash } from '../../../kernel/content-hash.ts'
import { substituteVariables } from '../../../kernel/substitute-variables.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { lackingMeans, unfilledArguments } from '../../../render/prompt/sections/skill-section.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { findSkillFile, RELATIVE_PATHS } from '../../../skills/find-skill-file.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { ToolError } from '../../../tools/response/error-type.ts'
import { causeOfHandler } from '../../calls/run-call.ts'
import { loadingQuestion } from '../../commands/loading-question.ts'
import { tokensLeft } from '../conversation/withdraw-texts.ts'
import { isFlapping } from '../discovery/loop-guard.ts'
import { type MetaToolParts, metaTool, sanitisedData } from './meta-tool.ts'
import { forkTask } from './skill-run.ts'
import {
  assertIntact,
  loadedSkill,
  refusalToToolError,
  skillArgument,
  skillNamed,
} from './skill-argument.ts'

/** `loadSkill`: activates a skill, and answers with its instructions and the list of its files. */
export function loadSkillMetaTool(parts: MetaToolParts): Tool {
  // Where no skill takes arguments, no request pays for them.
  const taking = new Set(parts.context.catalog.takeArguments)
  const takes = taking.size > 0 && parts.loadable.some((name) => taking.has(name))
  return metaTool<LoadInput>(parts, {
    name: 'loadSkill',
    description:
      'Load a skill by its id: returns its instructions and files, and makes its tools available from the next step.',
    arguments: { skillName: skillArgument(parts), ...(takes && { arguments: ARGUMENTS }) },
    variant: takes ? 'arguments' : '',
    optional: ['arguments'],
    accepted: { arguments: { type: ['string', 'null'] } },
    ...(parts.loading && { question: loadingChecks(parts) }),
    // Each call of a subagent is limited by itself.
    ...(parts.runSkill && { timeoutMs: Infinity }),
    async execute({ skillName, arguments: wanted }, { call, signal }) {
      const skill = skillNamed(skillName, parts)
      const answered = await runInFork(skill, wanted, { call, signal }, parts)
      if (answered !== null) return sanitisedData(answered)
      const active = openSkill(parts.store.getState().state, skill.name) !== null
      const before = active ? [] : toolTable(parts.store.getState().state, parts.context).available
      if (active) assertIntact(skill, parts)
      else {
        await assertNotFlapping(skill.name, parts, call)
        const outcome = await parts.dispatcher.dispatch(
          { type: 'skill.activate', skill: skill.name, ...(wanted && { arguments: wanted }) },
          causeOfHandler(call),
          { drain: true },
        )
        if (!outcome.ok) throw refusalToToolError(outcome)
      }
      const { state } = parts.store.getState()
      const open = openSkill(state, skill.name)
      const given = open?.arguments ?? null
      const variables = parts.variables ? [parts.variables] : []
      const { instructions, baseDirectory } = skill
      const body = substituteVariables(instructions, variables, given, skill)
      const notes = [
        ...(active && wanted && wanted !== given ? [OTHER_ARGUMENTS] : []),
        ...(baseDirectory !== undefined && skill.files.length > 0 ? [RELATIVE_PATHS] : []),
        ...(body.unfilled.length > 0 ? [unfilledArguments(body.unfilled)] : []),
        ...(open?.lacks === undefined ? [] : [lackingMeans(open.lacks)]),
      ]
      const known = new Set(before.map(({ name }) => name))
      return sanitisedData({
        skill: skill.name,
        displayName: skill.displayName,
        alreadyLoaded: active,
        instructions: body.text,
        ...(given !== null && { arguments: given }),
        ...(notes.length > 0 && { note: notes.join(' ') }),
        tools: rowsOfSkill(skill.name, parts).map(({ name, status, tool }) => ({
          name: sentName(name, parts.context.namesFor),
          status,
          summary: tool?.summary ?? '',
          ...(known.has(name) && { alreadyAvailable: true }),
        })),
        files: skill.files.map(({ path, description, size }) => ({
          path,
          ...(description !== undefined && { description }),
          size,
        })),
        ...(baseDirectory !== undefined && { baseDirectory }),
      })
    },
  })
}

/**
 * Carries out a skill with `context: fork` in a child session, if the session may activate it. Returns null for a skill
 * that is loaded into the conversation.
 */
async function runInFork(
  skill: Skill,
  given: string | null | undefined,
  { call, signal }: Pick<ToolContext, 'call' | 'signal'>,
  parts: MetaToolParts,
) {
  const { store, context, dispatcher, runSkill } = parts
  const { name, fork } = skill
  if (fork === undefined || runSkill === undefined) return null
  const { state } = store.getState()
  if (openSkill(state, name) !== null) return null
  const command = {
    type: 'skill.activate',
    skill: name,
    ...(given && { arguments: given }),
  } as const
  const decision = dispatcher.preview(command, causeOfHandler(call), state)
  if (decision.kind === 'refused') throw refusalToToolError(decision.refusal)
  const { agents, skills } = context.catalog
  const agent = fork.agent === undefined ? undefined : agents.get(fork.agent)
  const needed = new Set(skillsLoadedWith(name, state, context))
  const listed =
    agent && [...skills.keys()].filter((one) => needed.has(one) || isPermitted(agent, one))
  let session = ''
  const answer = await runSkill({
    skill: name,
    ...(fork.model !== undefined && { model: fork.model }),
    ...(fork.effort !== undefined && { effort: fork.effort }),
    task: forkTask(name, given),
    signal,
    async open(workspace) {
      const child = await workspace.sessions.child(
        agent === undefined ? {} : { agent: agent.name, skills: listed ?? [] },
      )
      session = child.session
      const activated = await child.activateSkill(name, given ? { arguments: given } : {})
      activated.orThrow()
      return child
    },
  })
  return answer === null ? null : { carriedOut: name, session, answer, note: CARRIED_OUT }
}

const CARRIED_OUT =
  'A subagent carried out the skill in a session of its own. Its instructions and tools are not loaded here.'

interface LoadInput {
  readonly skillName: string
  /** Null from a provider that requires models to give every argument. */
  readonly arguments?: string | null
}

const ARGUMENTS: JsonSchema = {
  type: 'string',
  description: 'Arguments for the text of the skill, if it takes some.',
}

const OTHER_ARGUMENTS =
  'It is loaded with its earlier arguments. To give it others, unload it first.'

/** Asks about skills that the host wants a person to decide about, and shows what is known of them. */
function loadingChecks(parts: MetaToolParts): Pick<Tool, 'confirms' | 'preview'> {
  const ask = (input: unknown) => {
    const { skillName } = input as { readonly skillName: string }
    return loadingQuestion(skillName, parts)
  }
  return {
    confirms: async (input) => {
      const text = await ask(input)
      // An empty reason would ask nobody.
      return text !== null && (text.split('\n', 1).join('') || true)
    },
    preview: async (input) => (await ask(input))?.split('\n').slice(1).join('\n') ?? '',
  }
}

/** Returns the tools that an active skill brings, also those that it shares with another owner. */
function rowsOfSkill(skill: string, { store, context }: MetaToolParts): readonly ToolRow[] {
  const { state } = store.getState()
  const claims = openSkill(state, skill)?.claims ?? []
  const brought = new Set(claims.map(({ name, hash }) => `${name} ${hash}`))
  return toolTable(state, context).rows.filter(
    (row) => skillOf(row) === skill || brought.has(`${row.claim.name} ${row.claim.hash}`),
  )
}

/** Characters of a file that one answer has; the rest is read from an offset on. */
const LONGEST_TEXT = 40_000

interface FileInput {
  readonly skillName: string
  readonly path: string
  /** Null from a provider that requires models to give every argument. */
  readonly offset?: number | null
}

/**
 * `loadSkillFile`: the text of one listed file of an active skill, a part at a time if it is long; fails when the
 * file has changed.
 */
export function loadSkillFileMetaTool(parts: MetaToolParts): Tool {
  return metaTool<FileInput>(parts, {
    name: 'loadSkillFile',
    description: 'Read one file of a loaded skill, by a path from the list loadSkill gave.',
    arguments: {
      skillName: skillArgument(parts),
      path: { type: 'string', description: 'A path from the file list of the skill.' },
      offset: {
        type: 'integer',
        description: 'For a long file, the offset that the last part gave.',
      },
    },
    optional: ['offset'],
    accepted: { offset: { type: ['number', 'null'] } },
    async execute({ skillName, path: given, offset }, { signal }) {
      const skill = loadedSkill(skillName, parts)
      const file = findSkillFile(skill, given)
      if (!file || !skill.readFile) throw notListed(skill, given)
      const { path } = file
      const text = await skill.readFile(path, signal).catch((error: unknown) => {
        throw unreadable(error)
      })
      if (textHash(text) !== file.hash) {
        throw new ToolError('CONFLICT', `"${path}" changed since the skill was read.`, {
          details: { code: 'file-changed', skill: skill.name, path },
        })
      }
      // A secret at the end of a part would be in two.
      const shown = parts.context.redactor?.text(text) ?? text
      return sanitisedData({ skill: skill.name, path, ...partFrom(shown, offset ?? 0) })
    },
  })
}

/** Returns a part of a text, which ends after a line if one ends in it, and where the next part begins. */
function partFrom(text: string, offset: number) {
  const from = Math.min(Math.max(0, Math.trunc(offset)), text.length)
  const part = text.slice(from, from + LONGEST_TEXT)
  if (from === 0 && part.length === text.length) return { text }
  const isLast = from + part.length === text.length
  const lines = part.slice(0, part.lastIndexOf('\n') + 1)
  const shown = isLast || lines === '' ? part : lines
  const next = from + shown.length
  return { text: shown, offset: from, length: text.length, ...(!isLast && { nextOffset: next }) }
}

function notListed({ name, files }: Skill, path: string): ToolError {
  const paths = files.map((file) => file.path)
  const listed =
    paths.length === 0 ? 'It has no files.' : `Its files: ${paths.slice(0, 50).join(', ')}.`
  return new ToolError('NOT_FOUND', `The skill "${name}" lists no file "${path}". ${listed}`, {
    details: { code: 'file-not-listed', skill: name, path },
  })
}

function unreadable(error: unknown): unknown {
  return WorkspaceError.is(error)
    ? new ToolError('PERMANENT', error.message, {
        details: { code: error.code, hint: error.hint },
      })
    : error
}

/** `unloadSkill`: deactivates a skill, with its tools. */
export function unloadSkillMetaTool(parts: MetaToolParts): Tool {
  return metaTool(parts, {
    name: 'unloadSkill',
    description: 'Deactivate a skill, by its id: its tools are gone from the next step.',
    arguments: { skillName: skillArgument(parts) },
    async execute({ skillName = '' }, { call }) {
      // An active skill that was removed from the catalog can still be deactivated.
      const isOpen = openSkill(parts.store.getState().state, skillName) !== null
      const skill = isOpen ? skillName : skillNamed(skillName, parts).name
      if (openSkill(parts.store.getState().state, skill) !== null)
        await assertNotFlapping(skill, parts, call)
      const outcome = await parts.dispatcher.dispatch(
        { type: 'skill.deactivate', skill },
        causeOfHandler(call),
        { drain: true },
      )
      if (!outcome.ok) throw refusalToToolError(outcome)
      const { state } = parts.store.getState()
      const isLast = isFlapping(state, skill, parts.discovery.guard)
      const tokens = tokensLeft(skill, state)
      const notes = [
        ...(tokens > 0 ? [textStays(tokens)] : []),
        ...(isLast ? [LAST_UNLOAD_NOTE] : []),
      ]
      return {
        skill,
        removedTools: outcome.difference.removed.map((name) =>
          sentName(name, parts.context.namesFor),
        ),
        ...(notes.length > 0 && { note: notes.join(' ') }),
      }
    },
  })
}

function textStays(tokens: number): string {
  return `Its instructions, about ${tokens} tokens, no longer apply. They leave the conversation once that is free.`
}

const LAST_UNLOAD_NOTE =
  'It was loaded and unloaded too often, so it is not loaded again in this turn. Continue without it.'

/**
 * Fails, with an entry in the log, when a model deactivated a skill too often in this turn. Every change
 * costs a hook and a changed prompt, and brings the model no nearer to an answer.
 */
async function assertNotFlapping(
  skill: string,
  { store, discovery, dispatcher }: MetaToolParts,
  call: ToolContext['call'],
): Promise<void> {
  if (!isFlapping(store.getState().state, skill, discovery.guard)) return
  await dispatcher.dispatch(
    {
      type: 'search.end',
      search: call.id,
      query: skill,
      found: [],
      skills: [],
      confidence: 0,
      route: 'lexical',
      latencyMs: 0,
      stopped: 'flapping',
      degraded: null,
    },
    causeOfHandler(call),
  )
  throw new ToolError(
    'UNAVAILABLE',
    `Stop: the skill "${skill}" was loaded and unloaded again and again in this turn. Continue without it, or answer with what there is.`,
    { details: { code: 'flapping', skill } },
  )
}
