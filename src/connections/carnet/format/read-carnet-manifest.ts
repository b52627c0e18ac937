import * as z from 'zod'
import type { Diagnostic } from '../../../entries/index.ts'
import { Findings, isObject } from '../../../entries/kit.ts'
import { CARNET_MANIFEST } from './carnet-files.ts'
import {
  CARNET_MANIFEST_VERSION,
  type CarnetManifest,
  type ToolMetadata,
} from './carnet-manifest.ts'

/** The kinds of definitions in a manifest, with the noun for one of each. */
const KINDS = { agents: 'agent', skills: 'skill', toolsets: 'toolset', tools: 'tool' } as const

/**
 * Checks a value as a Carnet manifest, entry by entry. An invalid entry is an error and does not
 * affect the others. The manifest is null when the value is not one at all. `file` is the path that
 * findings name.
 */
export function readCarnetManifest(
  value: unknown,
  file: string = CARNET_MANIFEST,
): { readonly manifest: CarnetManifest | null; readonly diagnostics: readonly Diagnostic[] } {
  const findings = new Findings(file)
  if (!isObject(value)) {
    add(findings, 'manifest-invalid', 'The manifest is not a JSON object.')
    return { manifest: null, diagnostics: findings.list }
  }
  const version = ownMember(value, 'version') ?? CARNET_MANIFEST_VERSION
  if (version !== CARNET_MANIFEST_VERSION) {
    findings.add(
      'error',
      'manifest-version',
      `The manifest has version ${JSON.stringify(version)}; only version ${CARNET_MANIFEST_VERSION} can be read.`,
      'Build it again with Carnet 0.3.0, or give the folder it was built from.',
    )
    return { manifest: null, diagnostics: findings.list }
  }
  const app = CARNET_FIELDS.app.safeParse(ownMember(value, 'app'))
  if (!app.success) add(findings, 'manifest-field', `"app" ${firstIssue(app.error)}.`)
  const manifest = {
    version,
    app: app.data ?? { globalInitialSkills: [], globalSkills: [] },
    agents: entries(value, 'agents', findings),
    skills: entries(value, 'skills', findings),
    toolsets: entries(value, 'toolsets', findings),
    tools: entries(value, 'tools', findings),
  }
  return { manifest: withInlineTools(manifest), diagnostics: findings.list }
}

/** Makes entries of the tools that the toolsets of 0.3.1 describe, and names of them in the toolsets. */
function withInlineTools({
  toolsets,
  tools,
  ...rest
}: Record<'toolsets' | 'tools', Record<string, unknown>>): CarnetManifest {
  const all: Record<string, unknown> = Object.create(null)
  const named: Record<string, unknown> = Object.create(null)
  for (const [key, toolset] of Object.entries(toolsets)) {
    const listed = (toolset as { readonly tools: readonly (string | ToolMetadata)[] }).tools
    for (const tool of listed) {
      if (typeof tool !== 'string') all[tool.name] ??= { ...tool, content: '' }
    }
    const names = listed.map((tool) => (typeof tool === 'string' ? tool : tool.name))
    named[key] = { ...(toolset as object), tools: names }
  }
  return { ...rest, toolsets: named, tools: Object.assign(all, tools) } as CarnetManifest
}

function entries(
  value: object,
  kind: keyof typeof KINDS,
  findings: Findings,
): Record<string, unknown> {
  const read: Record<string, unknown> = Object.create(null)
  const given = ownMember(value, kind) ?? {}
  if (!isObject(given)) {
    add(findings, 'manifest-field', `"${kind}" must be an object of ${kind} by name.`)
    return read
  }
  for (const [name, entry] of Object.entries(given)) {
    const checked = CARNET_FIELDS[kind].safeParse(entry)
    if (checked.success) read[name] = checked.data
    else {
      add(
        findings,
        'manifest-field',
        `The ${KINDS[kind]} "${name}" is left out: ${firstIssue(checked.error)}.`,
      )
    }
  }
  return read
}

function add(findings: Findings, code: string, message: string): void {
  findings.add('error', code, message, 'Correct the source and build the manifest again.')
}

function firstIssue({ issues: [first] }: z.ZodError): string {
  const at = first?.path.map(String).join('.') ?? ''
  return `${at === '' ? 'it' : `"${at}"`} ${first?.message ?? 'is wrong'}`
}

function ownMember(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

const text = z.string('must be text')

const filled = text.min(1, 'must not be empty')

const texts = z.array(text, 'must be a list of texts').default([])

/** Schemas of the parts of a Carnet manifest. Unknown fields are dropped. */
const CARNET_FIELDS = {
  app: z
    .object({ globalInitialSkills: texts, globalSkills: texts }, 'must be an object')
    .default({ globalInitialSkills: [], globalSkills: [] }),
  agents: z.object(
    { name: filled, description: filled, initialSkills: texts, skills: texts, prompt: text },
    'must be an object',
  ),
  skills: z.object(
    {
      name: filled,
      description: filled,
      toolsets: texts,
      files: z
        .array(z.object({ path: filled, description: text.default(''), content: text.default('') }))
        .default([]),
      content: text,
    },
    'must be an object',
  ),
  toolsets: z.object(
    {
      name: filled,
      description: filled,
      tools: z
        .array(z.union([text, z.object({ name: filled, description: filled })]), 'must be a list')
        .default([]),
      content: text,
    },
    'must be an object',
  ),
  tools: z.object({ name: filled, description: filled, content: text }, 'must be an object'),
} as const
