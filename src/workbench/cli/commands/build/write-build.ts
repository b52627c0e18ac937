import type { Provider, SchemaLoss } from '../../../../entries/adapter.ts'
import { type ContentHash, WorkspaceError } from '../../../../entries/index.ts'
import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import {
  type DefinitionChange,
  type Manifest,
  manifestTools,
  SCHEMA_PROVIDERS,
} from '../../../../entries/manifest.ts'
import { dirname, join } from 'node:path'
import { changeLine } from '../../../report/writers/change-line.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import type { ReadingOptions } from '../../shell/opening-options.ts'
import { paint } from '../../../report/writers/paint.ts'
import { reportDiagnostics } from '../../shell/report-diagnostics.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'
import type { ProjectBuild } from '../../../project/manifest/build-project.ts'
import { PROVENANCE_FILE } from '../../../project/manifest/manifest-file.ts'
import type { TrustStore } from '../../../project/trust/trust-store.ts'
import { isInside } from '../../../project/walk/is-inside.ts'

export interface BuildCommandOptions extends ReadingOptions {
  readonly out?: string
  readonly watch?: true
  readonly partial?: true
}

/** The output of `build --json`. */
export interface BuildReport {
  readonly ok: boolean
  /** Null when nothing was written. */
  readonly file: string | null
  readonly version: ContentHash
  readonly digest: ContentHash
  readonly counts: Readonly<Record<'skills' | 'tools' | 'toolsets' | 'agents' | 'rules', number>>
  readonly tokens: number
  readonly tokenizer: string
  readonly losses: readonly ToolLoss[]
  /** Compared with the previous manifest; null when there was none. */
  readonly changes: readonly Pick<DefinitionChange, 'kind' | 'name' | 'what'>[] | null
  /** Diagnostics of definitions that could not be read; nothing is written because of them. */
  readonly missing: ProjectBuild['missing']
}

/** A schema keyword of a tool that a provider does not support. */
interface ToolLoss extends SchemaLoss {
  readonly tool: string
  readonly provider: Provider
}

/** Writes the files of a build, unless a definition is missing, and returns its report. */
export async function writeBuild(
  build: ProjectBuild,
  file: string,
  before: Manifest | null,
  { partial }: BuildCommandOptions,
  trustStore: TrustStore,
): Promise<BuildReport> {
  const { manifest, folder, missing, project } = build
  refuseInsideSkill(file, project.catalog.skills.values())
  const changes = before === null ? null : await changesBetween(before, manifest)
  if (missing.length > 0 && partial !== true) return buildReport(build, null, changes)
  const { writeOwnFiles } = await import('../../../project/trust/write-own-files.ts')
  const { makeFolder } = await import('../../../project/walk/make-folder.ts')
  const { buildProvenance } = await import('../../../project/manifest/build-project.ts')
  const { manifestText } = await import('../../../../entries/manifest.ts')
  const provenanceFile = join(dirname(file), PROVENANCE_FILE)
  makeFolder(dirname(file))
  const text = manifestText(manifest)
  const texts = new Map([[file, text]])
  const { readNamedFile } = await import('../../../project/walk/read-inside.ts')
  const written = await readNamedFile(file)
  const isNew = !written.ok || written.text !== text
  const recorded = await readNamedFile(provenanceFile)
  if (isNew || !recorded.ok || !recorded.text.includes(JSON.stringify(manifest.digest))) {
    const provenance = await buildProvenance(manifest, folder)
    texts.set(provenanceFile, `${JSON.stringify(provenance, null, 2)}\n`)
  }
  await writeOwnFiles(texts, { sources: [folder], store: trustStore })
  return buildReport(build, file, changes)
}

/** Throws for a file inside the folder of a skill, because it would become a file of that skill. */
export function refuseInsideSkill(
  file: string,
  skills: Iterable<{ readonly name: string; readonly path?: string }>,
): void {
  for (const { name, path } of skills) {
    if (path === undefined || !isInside(dirname(path), file)) continue
    throw wrongUsage(
      `"${file}" is inside the folder of the skill "${name}".`,
      'Choose a file outside of all skill folders: --out <file>.',
    )
  }
}

/** Compares two manifests; null when the previous one was edited and cannot be compared. */
async function changesBetween(
  before: Manifest,
  after: Manifest,
): Promise<readonly DefinitionChange[] | null> {
  const { catalogFromManifest, diffCatalogs } = await import('../../../../entries/manifest.ts')
  if (before.version === after.version) return []
  try {
    const old = await catalogFromManifest(before)
    return diffCatalogs(old, await catalogFromManifest(after, { verify: false }))
  } catch (error) {
    if (WorkspaceError.is(error) && error.code.startsWith('MANIFEST_')) return null
    throw error
  }
}

/** Summarises a build. */
function buildReport(
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
    losses: tools.flatMap(({ name, providers }) =>
      SCHEMA_PROVIDERS.flatMap((provider) =>
        (providers[provider]?.losses ?? []).map((loss) => ({ tool: name, provider, ...loss })),
      ),
    ),
    changes: changes?.map(({ kind, name, what }) => ({ kind, name, what })) ?? null,
    missing,
  }
}

/** Writes the report and the diagnostics of a build. */
export function writeResult(
  report: BuildReport,
  { project }: ProjectBuild,
  options: BuildCommandOptions,
  context: CliContext,
): void {
  if (options.json === true) {
    context.stdout.write(jsonText(report, options.watch === true ? 0 : 2))
    return
  }
  // A build calls no tools, so handlers need no trust.
  const diagnostics = project.diagnostics.filter(({ code }) => code !== 'handler-untrusted')
  reportDiagnostics({ ...project, diagnostics }, options.verbose === true, context)
  if (report.file !== null) writeBuildReport(report, options.verbose === true, context)
  else context.stderr.write(nothingWritten(report))
}

/** Writes the report of a build, with each lost keyword when `verbose`. */
function writeBuildReport(report: BuildReport, verbose: boolean, context: CliContext): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const { file, version, counts, tokens, tokenizer, losses, changes } = report
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [counted(count, kind.replace(/s$/u, ''))],
  )
  const what = parts.length === 0 ? 'nothing' : parts.join(', ')
  say(`Built ${sanitiseLine(file ?? '')}: ${what}, ${tokens} tokens (${tokenizer}).`)
  say(paint(`version ${version}`, 'dim', context))
  for (const provider of SCHEMA_PROVIDERS) {
    const lost = losses.filter((loss) => loss.provider === provider)
    if (lost.length === 0) continue
    const inTools = new Set(lost.map(({ tool }) => tool)).size
    const more = verbose ? '' : '; use --verbose to list them'
    say(
      `${provider}: ${counted(lost.length, 'schema keyword')} in ${counted(inTools, 'tool')} cannot be sent as written${more}.`,
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

export function nothingWritten({ missing }: BuildReport): string {
  const problems = counted(missing.length, 'problem')
  return `loadout: nothing was written because of ${problems}; use --partial to write the rest.\n`
}
