import type { JsonValue, VirtualWorkspace } from '../../../../entries/index.ts'
import { firstSentence, isObject } from '../../../../entries/kit.ts'
import { type ChosenTool, chooseTool, usableTools, type UsableTool } from './choose-tool.ts'
import { composeQuery, tablesIn } from './compose-query.ts'
import { describeData } from './describe-data.ts'
import { fillArguments, kindOf, type Parameter, parametersOf } from './fill-arguments.ts'
import { readRequest, type SpokenRequest } from './read-request.ts'

/** A call of this turn, with its result. */
export interface MadeCall {
  readonly tool: string
  readonly input: unknown
  readonly ok: boolean
  /** The data of the result; the text of a failure. */
  readonly data: unknown
}

/** The next thing that the agent does: it says something, or makes a call. */
export type AgentMove =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: JsonValue }

/** One message of the person, and what was done about it. */
export interface ScriptedTurn {
  readonly text: string
  /** The message before it, and the answer to that; null for the first. */
  readonly before: { readonly text: string; readonly answer: string } | null
  readonly calls: readonly MadeCall[]
}

/** Returns the next move of the agent. The same turn in the same session has the same move. */
export function nextMove(turn: ScriptedTurn, workspace: VirtualWorkspace): AgentMove {
  const spoken = readRequest(completeRequest(turn, workspace))
  const request = withFoundFiles(spoken, turn.calls)
  const chosen = ABOUT_AGENT.test(spoken.text) ? null : chooseTool(spoken, workspace)
  if (chosen === null) return say(abilities(workspace))
  const last = turn.calls.at(-1)
  if (last !== undefined && !last.ok) return afterFailure(last, chosen, request, turn, workspace)
  if (last !== undefined && last.tool === sent(chosen, workspace)) {
    return say(`${describeData(last.data)}\n\n(${chosen.name})`)
  }
  const { input, missing } = fillArguments(chosen.tool, request)
  const query = missing.find((one) => kindOf(one) === 'sql')
  if (query !== undefined) return moveToQuery(query, chosen, request, turn, workspace)
  if (missing.length > 0) return say(questionAbout(chosen, missing))
  return call(chosen, input, turn, workspace)
}

function say(text: string): AgentMove {
  return { kind: 'say', text }
}

function sent({ name }: UsableTool, workspace: VirtualWorkspace): string {
  return workspace.calls.sentName(name)
}

/** Calls a tool, after its skill was loaded. */
function call(
  tool: UsableTool,
  input: Readonly<Record<string, JsonValue>>,
  { calls }: ScriptedTurn,
  workspace: VirtualWorkspace,
): AgentMove {
  const { status } = workspace.explain(tool.name)
  const last = calls.at(-1)
  if (status === 'skill-inactive' && tool.skill !== null && last?.tool !== 'loadSkill') {
    return { kind: 'call', tool: 'loadSkill', input: { skillName: tool.skill } }
  }
  if (status === 'not-exposed' && last?.tool !== 'tool_search') {
    return { kind: 'call', tool: 'tool_search', input: { query: tool.name } }
  }
  return { kind: 'call', tool: sent(tool, workspace), input: { ...input } }
}

/** Writes the query of a call, for which the columns of the table must be known first. */
function moveToQuery(
  { name }: Parameter,
  chosen: ChosenTool,
  request: SpokenRequest,
  turn: ScriptedTurn,
  workspace: VirtualWorkspace,
): AgentMove {
  const found = foundPaths(turn.calls).filter((path) => path.endsWith('.csv'))
  const isLookedFor = request.files.length === 0
  const complete = isLookedFor && found.length === 1 ? { ...request, files: found } : request
  const { input } = fillArguments(chosen.tool, complete)
  const [table] = turn.calls.flatMap(({ data }) => tablesIn(data))
  if (table !== undefined) {
    const sql = composeQuery(complete, table)
    if (sql !== null) return call(chosen, { ...input, [name]: sql }, turn, workspace)
    const columns = table.columns.map((column) => column.name).join(', ')
    return say(
      `I cannot turn this into a query. The table ${table.name} has the columns ${columns}. Ask for a total, an average, a count or the rows with a value, such as "how many rows", or give the SQL.`,
    )
  }
  const reader = usableTools(workspace).find((one) => isTableReader(one, chosen))
  if (reader !== undefined && Object.keys(input).length > 0) {
    return call(reader, fillArguments(reader.tool, complete).input, turn, workspace)
  }
  const finder = finderOf(turn, workspace)
  if (reader !== undefined && isLookedFor && finder !== null) {
    return call(finder, { [globOf(finder)]: '*.csv' }, turn, workspace)
  }
  const named = found.slice(0, MOST_FILES).map((file) => `\n- ${file}`)
  return say(`${WHICH_FILE} Name it, or give the SQL for "${chosen.name}".${named.join('')}`)
}

const WHICH_FILE = 'Which file has the data?'

/** Files of a question at most. */
const MOST_FILES = 10

/** Returns the tool that finds files by name, once in a turn. */
function finderOf({ calls }: ScriptedTurn, workspace: VirtualWorkspace): UsableTool | null {
  const finder = usableTools(workspace).find(isFileFinder)
  if (finder === undefined) return null
  return calls.some(({ tool }) => tool === sent(finder, workspace)) ? null : finder
}

/** Returns true for a tool of the same skill that returns the columns of a file. */
function isTableReader({ tool, skill }: UsableTool, chosen: ChosenTool): boolean {
  const parameters = parametersOf(tool)
  return (
    skill === chosen.skill &&
    tool.idempotent &&
    parameters.some((one) => kindOf(one) === 'file') &&
    parameters.every(({ isRequired }) => !isRequired) &&
    JSON.stringify(tool.outputSchema ?? {}).includes('"columns"')
  )
}

/** After a failed call: looks in all folders for a file that is not where it was named, else says what failed. */
function afterFailure(
  failed: MadeCall,
  chosen: ChosenTool,
  request: SpokenRequest,
  turn: ScriptedTurn,
  workspace: VirtualWorkspace,
): AgentMove {
  const text = String(failed.data)
  const words = request.words.toLowerCase()
  const file = Object.values(isObject(failed.input) ? failed.input : {}).find(
    (value): value is string =>
      typeof value === 'string' &&
      /^[\w.@/-]+$/u.test(value) &&
      (request.files.includes(value) || words.includes(value.replace(/\.md$/u, '').toLowerCase())),
  )
  const finder = finderOf(turn, workspace)
  if (text.includes('NOT_FOUND') && file !== undefined && finder !== null) {
    return call(finder, { [globOf(finder)]: file.replace(/^.*\//u, '') }, turn, workspace)
  }
  return say(`${failed.tool} did not work. ${text}\n\nI tried it for: ${chosen.tool.description}`)
}

function isFileFinder({ tool }: UsableTool): boolean {
  const parameters = parametersOf(tool)
  return (
    tool.idempotent &&
    parameters.some((one) => kindOf(one) === 'glob') &&
    parameters.every(({ isRequired }) => !isRequired)
  )
}

function globOf({ tool }: UsableTool): string {
  return parametersOf(tool).find((one) => kindOf(one) === 'glob')?.name ?? 'glob'
}

/** Replaces files that are in another folder by those that a search for them found. */
function withFoundFiles(request: SpokenRequest, calls: readonly MadeCall[]): SpokenRequest {
  const paths = foundPaths(calls)
  const files = request.files.map(
    (file) => paths.find((path) => path === file || path.endsWith(`/${file}`)) ?? file,
  )
  return { ...request, files }
}

function foundPaths(calls: readonly MadeCall[]): readonly string[] {
  return calls.filter(({ ok }) => ok).flatMap(({ data }) => pathsIn(data))
}

function pathsIn(data: unknown): readonly string[] {
  if (!isObject(data)) return []
  return Object.values(data).flatMap((value) =>
    Array.isArray(value)
      ? value.flatMap((one) =>
          isObject(one) && typeof one['path'] === 'string' ? [one['path']] : [],
        )
      : [],
  )
}

/** Joins an answer to a question of the agent with the request that it asked about. */
function completeRequest({ text, before }: ScriptedTurn, workspace: VirtualWorkspace): string {
  if (before === null) return text
  if (before.answer.startsWith(WHICH_FILE) && readRequest(text).files.length > 0) {
    return `${before.text} ${text}`
  }
  const chosen = chooseTool(readRequest(before.text), workspace)
  if (chosen === null || chosen.missing.length === 0) return text
  if (before.answer.trim() !== questionAbout(chosen, chosen.missing)) return text
  const [parameter] = chosen.missing
  const isText = parameter !== undefined && ['text', 'other'].includes(kindOf(parameter))
  const joined = isText ? `${before.text} "${text.replaceAll('"', "'")}"` : `${before.text} ${text}`
  const { missing } = fillArguments(chosen.tool, readRequest(joined))
  // It may be another request.
  return missing.length < chosen.missing.length ? joined : text
}

function questionAbout({ name }: UsableTool, missing: readonly Parameter[]): string {
  const wanted = missing.map(({ name: one, description }) => {
    const what = firstSentence(description).replace(/\.$/u, '')
    return what === '' ? one : `${one} (${what})`
  })
  return `I would call ${name}, and need ${wanted.join(' and ')}. Which is it?`
}

const ABOUT_AGENT = /^\W*(?:help|hi|hello|hey|what can you do|who are you)\b[^a-z]*$/iu

/** Tools of one skill in the list. */
const MOST_TOOLS = 12

/** Lists what the agent can do: the tools by skill, with an example each. */
function abilities(workspace: VirtualWorkspace): string {
  const groups = Map.groupBy(usableTools(workspace), ({ skill }) => skill)
  const lines = [...groups].flatMap(([skill, tools]) => [
    skill === null ? 'Always:' : `With the skill ${skill}:`,
    ...tools.slice(0, MOST_TOOLS).map(({ name, tool }) => {
      const [example] = tool.phrases
      const said = example === undefined ? '' : `, such as "${example}"`
      return `- ${name}: ${firstSentence(tool.description).replace(/\.$/u, '')}${said}`
    }),
    ...(tools.length > MOST_TOOLS ? [`- and ${tools.length - MOST_TOOLS} more`] : []),
  ])
  const none = lines.length === 0 ? ['No tool can be called here.'] : lines
  return [
    'I am a scripted agent, without a model, and found no tool for this. This is what I can do:',
    ...none,
  ].join('\n')
}
