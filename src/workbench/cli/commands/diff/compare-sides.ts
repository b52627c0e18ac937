import { byName } from '../../../../entries/kit.ts'
import type { Tool, VirtualWorkspace } from '../../../../entries/index.ts'
import {
  type DefinitionChange,
  diffCatalogs,
  diffFields,
  type FieldChange,
  type FileDrift,
  lockDrift,
  toolDefinition,
} from '../../../../entries/manifest.ts'
import {
  definitionTokens,
  type DocumentDiff,
  o200kCounter,
  type PricedChange,
} from '../../../../entries/plan.ts'
import {
  availableTools,
  captureMoment,
  differenceSince,
} from '../../../report/facts/compare-moments.ts'
import type { DiffSide } from './diff-side.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** A tool that is available on one side only, or with different definitions. */
export interface ToolChange {
  readonly name: string
  readonly what: 'added' | 'removed' | 'changed'
  readonly fields: readonly FieldChange[]
  /** Tokens of its definition in a request; 0 on a side without it. */
  readonly tokens: { readonly before: number; readonly after: number }
}

/** The output of `diff --json`; null for each part that the two sides cannot be compared in. */
export interface SideDiff {
  readonly a: Pick<DiffSide, 'kind' | 'label'>
  readonly b: Pick<DiffSide, 'kind' | 'label'>
  readonly same: boolean
  readonly files: readonly FileDrift[] | null
  readonly definitions: readonly DefinitionChange[] | null
  /** Available tools. */
  readonly tools: readonly ToolChange[] | null
  readonly prompt: DocumentDiff | null
  /** The tokens of the next request on both sides. */
  readonly request: PricedChange | null
  readonly tokenizer: string | null
}

/** Compares two sides in everything that both of them have. */
export async function compareSides(a: DiffSide, b: DiffSide): Promise<SideDiff> {
  const sides = { a: { kind: a.kind, label: a.label }, b: { kind: b.kind, label: b.label } }
  if (a.kind === 'lock' || b.kind === 'lock') {
    const [before, after] = [await a.lock(), await b.lock()]
    if (before === null || after === null) {
      throw wrongUsage(
        `A ${a.kind} cannot be compared with a ${b.kind}.`,
        'Compare a lock with a lock or a folder.',
      )
    }
    const files = lockDrift(before, after)
    const same = files.length === 0 && before.version === after.version
    return { ...sides, same, files, definitions: null, ...NO_SESSIONS }
  }
  const definitions = a.catalog && b.catalog ? diffCatalogs(a.catalog, b.catalog) : null
  const [before, after] = [await a.session(b), await b.session(a)]
  const sessions = await sessionDiff(before, after)
  const { tools, prompt } = sessions
  const same = [definitions, tools, prompt?.changes].every((one) => (one ?? []).length === 0)
  return { ...sides, same, files: null, definitions, ...sessions }
}

const NO_SESSIONS = { tools: null, prompt: null, request: null, tokenizer: null }

async function sessionDiff(before: VirtualWorkspace | null, after: VirtualWorkspace | null) {
  if (before === null || after === null) return NO_SESSIONS
  const counter = await o200kCounter()
  const was = await captureMoment(before)
  const now = availableTools(after)
  const { tools: names, document: prompt, request } = await differenceSince(was, after, counter)
  const price = (tool: Tool | undefined) => (tool ? definitionTokens(tool, counter) : 0)
  const tools = (['added', 'removed', 'changed'] as const).flatMap((what) =>
    names[what].map((name): ToolChange => {
      const [old, is] = [was.available.get(name), now.get(name)]
      const [a, b] = [old, is].map(
        (one) => one?.tool && { ...toolDefinition(one.tool), owner: one.owner },
      )
      const fields = a && b ? diffFields(a, b) : []
      return { name, what, fields, tokens: { before: price(old?.tool), after: price(is?.tool) } }
    }),
  )
  tools.sort((a, b) => byName(a.name, b.name))
  await Promise.all([before.close(), after.close()])
  return { tools, prompt, request, tokenizer: counter.name }
}
