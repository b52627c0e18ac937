import { dirname, join } from 'node:path'
import type { DefinitionChange } from '../../catalog/diff-fields.ts'
import { type Manifest, manifestTools } from '../../catalog/manifest/manifest.ts'
import { changeLine } from '../shell/change-line.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ReadingOptions } from '../shell/common-options.ts'
import { counted } from '../../render/ink/parts/format-count.ts'
import { paint } from '../shell/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import { PROVENANCE_FILE } from '../../project/manifest/manifest-file.ts'
import { isInside } from '../../project/walk/is-inside.ts'
import { type Provider, SCHEMA_PROVIDERS } from '../../tools/provider-schema/provider-schema.ts'
import type { SchemaLoss } from '../../tools/provider-schema/schema-loss.ts'

export interface BuildCommandOptions extends ReadingOptions {
  readonly out?: string
  readonly watch?: true
  readonly partial?: true
}

/** Write a build's files unless something is missing; what it says of itself and of what changed. */
export async function writeBuild(
  build: ProjectBuild,
  file: string,
  before: Manifest | null,
  { partial }: BuildCommandOptions,
): Promise<BuildReport> {
  const { manifest, folder, missing, project } = build
  refuseInsideSkill(file, project.catalog.skills.values())
  const changes = before === null ? null : await changesBetween(before, manifest)
  if (missing.length > 0 && partial !== true) return buildReport(build, null, changes)
  const { replaceFile } = await import('../../project/walk/replace-file.ts')
  const { buildProvenance } = await import('../../project/manifest/build-project.ts')
  const { manifestText } = await import('../../catalog/manifest/manifest-text.ts')
  const beside = join(dirname(file), PROVENANCE_FILE)
  const isNew = await replaceFile(file, manifestText(manifest))
  if (isNew || !(await isProvenanceOf(beside, manifest))) {
    const provenance = await buildProvenance(manifest, folder)
    await replaceFile(beside, `${JSON.stringify(provenance, null, 2)}\n`)
  }
  return buildReport(build, file, changes)
}

/** Whether a provenance file is that of this very manifest. */
async function isProvenanceOf(file: string, { digest }: Manifest): Promise<boolean> {
  const { readNamedFile } = await import('../../project/walk/read-inside.ts')
  const read = await readNamedFile(file)
  return read.ok && read.text.includes(JSON.stringify(digest))
}

export function nothingWritten({ missing }: BuildReport): string {
  const what = missing.length === 1 ? '1 thing is' : `${missing.length} things are`
  return `loadout: nothing was written, since ${what} missing from the build; --partial writes the rest.\n`
}

/** Null when the manifest of before is not what it was built as: there is nothing to compare then. */
async function changesBetween(
  before: Manifest,
  after: Manifest,
): Promise<readonly DefinitionChange[] | null> {
  const { catalogFromManifest } = await import('../../catalog/manifest/catalog-from-manifest.ts')
  const { diffCatalogs } = await import('../../catalog/diff-catalogs.ts')
  if (before.version === after.version) return []
  try {
    const old = await catalogFromManifest(before)
    return diffCatalogs(old, await catalogFromManifest(after, { verify: false }))
  } catch (error) {
    if (WorkspaceError.is(error) && error.code.startsWith('MANIFEST_')) return null
    throw error
  }
}

/** What is written there would be a file of the skill, and change it. */
export function refuseInsideSkill(
  file: string,
  skills: Iterable<{ readonly name: string; readonly path?: string }>,
): void {
  for (const { name, path } of skills) {
    if (path === undefined || !isInside(dirname(path), file)) continue
    throw wrongUsage(
      `"${file}" would be a file of the skill "${name}".`,
      'Write it outside of the folder of any skill: --out <file>.',
    )
  }
}

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
    losses: lossesOf(tools),
    changes: changes?.map(({ kind, name, what }) => ({ kind, name, what })) ?? null,
    missing,
  }
}

function lossesOf(tools: readonly Manifest['tools'][number][]): readonly ToolLoss[] {
  return tools.flatMap(({ name, providers }) =>
    SCHEMA_PROVIDERS.flatMap((provider) =>
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
  for (const provider of SCHEMA_PROVIDERS) {
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
