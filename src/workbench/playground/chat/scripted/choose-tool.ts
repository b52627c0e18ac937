import type { Tool, VirtualWorkspace } from '../../../../entries/index.ts'
import { isMeta } from '../../../../entries/kit.ts'
import { catalogIndex, layeredIndex, type ToolDocument } from '../../../../entries/search.ts'
import { asksForFigures } from './compose-query.ts'
import { type FilledArguments, fillArguments, kindOf, parametersOf } from './fill-arguments.ts'
import type { SpokenRequest } from './read-request.ts'

/** A tool that may serve a request, and its arguments. */
export interface ChosenTool extends FilledArguments {
  readonly name: string
  readonly tool: Tool
  /** The skill that brings it; null for a tool that is always there. */
  readonly skill: string | null
  readonly score: number
}

/** Statuses of tools that can be called now or after their skill is loaded. */
const USABLE: ReadonlySet<string> = new Set(['available', 'not-exposed', 'skill-inactive'])

/** The tools of a session that can be called, or whose skill can be loaded. */
export function usableTools(workspace: VirtualWorkspace): readonly UsableTool[] {
  return workspace.tools().flatMap((listing) => {
    const { tool, status, source, owner, name } = listing
    if (tool === undefined || !USABLE.has(status) || isMeta(listing)) return []
    const skill = source === 'skill' ? owner : null
    const isLoadable = skill !== null && workspace.explainSkill(skill).status === 'inactive'
    if (status === 'skill-inactive' && !isLoadable) return []
    return [{ name, tool, skill }]
  })
}

export interface UsableTool {
  readonly name: string
  readonly tool: Tool
  readonly skill: string | null
}

/** The least confidence of the search for a request that names no file, address or pattern. */
const LEAST_CONFIDENCE = 0.05

/** The least score of a tool. */
const LEAST_SCORE = 0.3

/** Returns the tool that fits a request best; null when nothing fits. */
export function chooseTool(request: SpokenRequest, workspace: VirtualWorkspace): ChosenTool | null {
  const { hasPiece, confidence, ranked } = rank(request, workspace)
  const isClear = hasPiece || request.quotes.length > 0 || confidence >= LEAST_CONFIDENCE
  if (!isClear) return null
  const [chosen] = ranked
  return chosen === undefined || chosen.score < LEAST_SCORE ? null : chosen
}

function rank(request: SpokenRequest, workspace: VirtualWorkspace) {
  const tools = usableTools(workspace)
  const names = new Set(tools.map(({ name }) => name))
  const added = ADDED_WORDS.flatMap(([pattern, text]) => (pattern.test(request.words) ? text : []))
  const query = [request.words, ...added].join(' ')
  const { results, confidence } = indexOf(workspace, tools).search(query, {
    limit: 20,
    only: (name, kind) => kind === 'skill' || names.has(name),
  })
  const best = results[0]?.score ?? 1
  const found = new Map(
    results.filter(({ kind }) => kind === 'tool').map(({ name, score }) => [name, score / best]),
  )
  const skills = new Map(
    results.filter(({ kind }) => kind === 'skill').map(({ name, score }) => [name, score / best]),
  )
  const hasPiece = request.urls.length + request.files.length + request.globs.length > 0
  const hasData = request.files.some((file) => DATA_FILE.test(file))
  const ranked = tools
    .map(({ name, tool, skill }): ChosenTool => {
      const filled = fillArguments(tool, request)
      const ofSkill = (skill === null ? 0 : (skills.get(skill) ?? 0)) * 0.4
      const base = Math.max(
        found.get(name) ?? 0,
        ofSkill,
        hasPiece ? (hasData && takesData(tool) ? 0.4 : 0.15) : 0,
      )
      return { name, tool, skill, score: base * fitOf(tool, filled, request), ...filled }
    })
    .toSorted((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
  return { hasPiece, confidence, ranked }
}

function indexOf(workspace: VirtualWorkspace, tools: readonly UsableTool[]) {
  const { catalog } = workspace
  const own = tools.filter(({ name, skill }) => skill === null && !catalog.bringers.has(name))
  return layeredIndex(
    catalogIndex(catalog),
    own.map(({ name, tool }): ToolDocument => {
      const { description, phrases, topic, inputSchema } = tool
      return { name, description, phrases, inputSchema, ...(topic !== undefined && { topic }) }
    }),
  )
}

/** Words that people say, and the words of descriptions for the same. */
const ADDED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:cat|print|says?|look at|see the|code of|contents? of|about)\b/iu, 'read text'],
  [
    /\b(?:is there (?:a|any)|any|where (?:did|do|is|are) (?:we|the|my)|how (?:big|large))\b/iu,
    'find files folder',
  ],
  [/\b(?:inside|in the folder)\b/iu, 'list files folder'],
  [
    /\b(?:grep|look for|mentions?|where is|used|uses|defined|every line)\b/iu,
    'find lines contain text',
  ],
  [/\b(?:wrote|committed|touched|added|changed)\b/iu, 'commits'],
]

const NAMES_PAGE = /\b(?:pages?|sites?|website|web|url|links?|article)\b/iu

const DATA_FILE = /\.(?:csv|tsv|json)$/iu

/** Questions, and the members of a result that answer them. */
const ANSWERING_MEMBERS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bwho\b/iu, /^(?:author|owner|user|assignee|committer|by)$/u],
  [/\bwhen\b/iu, /^(?:date|created|updated)$/u],
  [/\bwhy\b/iu, /^(?:subject|reason|commits)$/u],
  [/\bhow (?:big|large|heavy)\b/iu, /^(?:size|bytes)$/u],
  [/\bwhere\b/iu, /^(?:path|line|url)$/u],
]

/** Returns how well the pieces of a request fit the parameters and the result of a tool; 1 is neutral. */
function fitOf(tool: Tool, { missing }: FilledArguments, request: SpokenRequest): number {
  const parameters = parametersOf(tool)
  const kinds = new Set(parameters.map(kindOf))
  const data = request.files.some((file) => DATA_FILE.test(file))
  const others = missing.filter((one) => kindOf(one) !== 'sql')
  let fit = 1
  if (request.urls.length > 0) fit *= kinds.has('url') ? 3 : 0.1
  else if (kinds.has('url') && !NAMES_PAGE.test(request.words)) fit *= 0.3
  if (kinds.has('sql'))
    fit *= asksForFigures(request) ? (data || request.sql !== null ? 3 : 0.8) : 0.2
  if (takesData(tool)) fit *= data ? 1.1 : request.files.length > 0 ? 0.1 : 1
  else if (request.files.length > 0) fit *= kinds.has('file') || kinds.has('glob') ? 1.2 : 0.2
  if (request.globs.length > 0) fit *= kinds.has('glob') ? 2 : 0.2
  const members = memberNames(tool.outputSchema)
  for (const [question, answer] of ANSWERING_MEMBERS) {
    if (question.test(request.words) && members.some((name) => answer.test(name))) fit *= 3
  }
  return others.length > 0 ? fit * 0.5 : fit
}

/** Returns true for a tool that reads a file as a table. */
function takesData(tool: Tool): boolean {
  return parametersOf(tool).some(
    (one) => kindOf(one) === 'file' && /\b(?:csv|json|table)\b/iu.test(one.description),
  )
}

/** Returns the names of the members of a schema, at any depth. */
function memberNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    const inner = memberNames(value)
    return key === 'properties' && typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...inner]
      : inner
  })
}
