import {
  createCatalog,
  defineSkill,
  VirtualWorkspace,
  type MetaToolName,
  type Skill,
  type Tool,
} from 'loadout'
import { asTool, realSet, spread } from './exposure-tools.ts'
import { counter } from './measure-pages.ts'
import type { SetTool } from './read-tool-set.ts'

/** The tokens of tools in one request, compared with those of all definitions. */
export interface SavingsFigure {
  readonly what: string
  /** Tools that can be called. */
  readonly tools: number
  readonly metaTools: readonly string[]
  /** Definitions of all of them in the request. */
  readonly all: number
  /** Definitions under `bridge`. */
  readonly definitions: number
  /** Tokens of the answers of searches, median over the queries; 0 without a search. */
  readonly page: number
  readonly pageP95: number
  readonly queries: number
  /** The share of the tokens of all definitions, from 0 to 1. */
  readonly saved: number
  readonly target: number
}

const TOOLS = 41

const TARGETS = { idle: 0.97, searched: 0.91 } as const

/**
 * Measures the request of a model that needs no tool, and the one that calls a found tool: its definitions
 * and the page in it, against the definitions of all tools.
 */
export async function measureSavings(): Promise<readonly SavingsFigure[]> {
  const tools = spread(realSet.tools, TOOLS)
  return [
    ...(await savingsWith(tools, ['tool_search', 'call_tool'], [])),
    ...(await savingsWith(tools, undefined, [])),
    ...(await savingsWith(tools, ['tool_search', 'loadSkill', 'call_tool'], [SKILL])),
  ]
}

/** A skill that may be loaded, so that `loadSkill` is offered. */
const SKILL = defineSkill({ name: 'reports', description: 'Write reports.' })

async function savingsWith(
  tools: readonly SetTool[],
  metaTools: readonly MetaToolName[] | undefined,
  skills: readonly Skill[],
): Promise<readonly SavingsFigure[]> {
  const catalog = await createCatalog({ tools: tools.map(asTool), skills })
  const open = (exposure: 'active' | 'bridge') =>
    VirtualWorkspace.open({
      catalog,
      exposure,
      ...(exposure === 'bridge' && { discovery: {} }),
      ...(exposure === 'active' ? { metaTools: [] } : metaTools && { metaTools }),
    })
  const plain = await (await open('active')).beginStep()
  const bridge = await open('bridge')
  const step = await bridge.beginStep()
  const [all, definitions] = [definitionsOf(plain.tools), definitionsOf(step.tools)]
  const pages = await pagesFor(tools, () => open('bridge'))
  const page = quantile(pages, 0.5)
  const shared = {
    tools: tools.length,
    metaTools: step.tools.map(({ name }) => name),
    all,
    definitions,
    queries: pages.length,
  }
  return [
    {
      what: 'nothing needed',
      ...shared,
      page: 0,
      pageP95: 0,
      saved: 1 - definitions / all,
      target: TARGETS.idle,
    },
    {
      what: 'one search, then the call',
      ...shared,
      page,
      pageP95: quantile(pages, 0.95),
      saved: 1 - (definitions + page) / all,
      target: TARGETS.searched,
    },
  ]
}

/** Returns the tokens of each answer that the model reads: one query for each tool, and the real queries. */
async function pagesFor(
  tools: readonly SetTool[],
  open: () => Promise<VirtualWorkspace>,
): Promise<readonly number[]> {
  const names = new Set(tools.map(({ name }) => name))
  const asked = realSet.queries.filter(({ gold }) => gold.some((name) => names.has(name)))
  const queries = [
    ...asked.map(({ query }) => query),
    ...tools.map(({ description }) => description.split(/[.\n]/u, 1)[0] ?? description),
  ]
  const pages: number[] = []
  for (const query of queries) {
    const workspace = await open()
    const answer = await workspace.callTool('tool_search', { query }, { caller: 'model' })
    pages.push(counter.count(JSON.stringify(answer.ok ? answer.data : answer)))
    await workspace.close()
  }
  return pages
}

function definitionsOf(tools: readonly Tool[]): number {
  return tools.reduce((sum, { name, description, inputSchema }) => {
    return sum + counter.count(JSON.stringify({ name, description, inputSchema }))
  }, 0)
}

function quantile(figures: readonly number[], at: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0
}
