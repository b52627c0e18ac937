import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import type { DefinitionChange } from '../../catalog/definition-change.ts'
import { manifestTools } from '../../catalog/manifest/manifest-tools.ts'
import type { Manifest } from '../../catalog/manifest/manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { PROVIDERS, type Provider } from '../../tools/provider-schema/provider.ts'
import type { SchemaLoss } from '../../tools/provider-schema/schema-loss.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { counted } from '../shell/counted.ts'
import { changeLine } from '../shell/diff-report.ts'
import { paint } from '../shell/paint.ts'

/** What `build --json` prints. */
export interface BuildReport {
  readonly ok: boolean
  /** The file; null when nothing was written. */
  readonly file: string | null
  readonly version: ContentHash
  readonly digest: ContentHash
  readonly counts: Readonly<Record<'skills' | 'tools' | 'toolsets' | 'agents' | 'rules', number>>
  readonly tokens: number
  readonly tokenizer: string
  readonly losses: readonly ToolLoss[]
  /** Against the manifest that was there before; null when there was none. */
  readonly changes: readonly Pick<DefinitionChange, 'kind' | 'name' | 'what'>[] | null
  /** Findings for which nothing was written. */
  readonly missing: ProjectBuild['missing']
}

/** A keyword of one tool that one provider cannot carry. */
interface ToolLoss extends SchemaLoss {
  readonly tool: string
  readonly provider: Provider
}

/** Put a build into numbers. */
export function buildReport(
  { manifest, missing }: Pick<ProjectBuild, 'manifest' | 'missing'>,
  file: string | null,
  changes: readonly DefinitionChange[] | null,
): BuildReport {
  const { version, digest, skills, toolsets, agents, rules, tokenizer } = manifest
  const tools = [...new Map([...manifestTools(manifest)].map((tool) => [tool.hash, tool])).values()]
  return {
    ok: missing.length === 0,
    file,
    version,
    digest,
    counts: {
      skills: skills.length,
      tools: tools.length,
      toolsets: toolsets.length,
      agents: agents.length,
      rules: rules.length,
    },
    tokens: [...skills, ...tools].reduce((sum, { tokens }) => sum + tokens.total, 0),
    tokenizer,
    losses: lossesOf(tools),
    changes: changes?.map(({ kind, name, what }) => ({ kind, name, what })) ?? null,
    missing,
  }
}

function lossesOf(tools: readonly Manifest['tools'][number][]): readonly ToolLoss[] {
  return tools.flatMap(({ name, providers }) =>
    PROVIDERS.flatMap((provider) =>
      (providers[provider]?.losses ?? []).map((loss) => ({ tool: name, provider, ...loss })),
    ),
  )
}

/** Tell people what was built; each lost keyword too where they ask for it. */
export function writeBuildReport(report: BuildReport, verbose: boolean, context: CliContext): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const { file, version, counts, tokens, tokenizer, losses, changes } = report
  const told = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [counted(count, kind.replace(/s$/u, ''))],
  )
  const what = told.length === 0 ? 'nothing' : told.join(', ')
  say(`Built ${sanitiseLine(file ?? '')}: ${what}, ${tokens} tokens (${tokenizer}).`)
  say(paint(`version ${version}`, 'dim', context))
  for (const provider of PROVIDERS) {
    const lost = losses.filter((loss) => loss.provider === provider)
    if (lost.length === 0) continue
    const inTools = new Set(lost.map(({ tool }) => tool)).size
    const more = verbose ? '' : '; --verbose lists them'
    say(
      `${provider}: ${counted(lost.length, 'keyword')} of ${counted(inTools, 'tool')} not carried as written${more}.`,
    )
    if (!verbose) continue
    for (const { tool, path, message } of lost) {
      say(`  ${sanitiseLine(`${tool}${path === '' ? '' : ` ${path}`}: ${message}`)}`)
    }
  }
  if (changes === null) return
  if (changes.length === 0) say('Nothing changed since the last build.')
  for (const change of changes) say(changeLine(change, context))
}
