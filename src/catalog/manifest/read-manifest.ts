import * as z from 'zod'
import { catalogHash, type Hashed } from '../create/catalog.ts'
import {
  type Manifest,
  MANIFEST_FORMAT,
  manifestDigest,
  type ManifestTool,
  type ManifestToolset,
} from './manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { hasMembers } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineAgent } from '../../skills/definition/define-agent.ts'
import { defineSkill } from '../../skills/definition/define-skill.ts'
import { defineRules } from '../../tools/define-rules.ts'
import { defineToolset, type Toolset } from '../../tools/define-toolset.ts'
import { bindTool, toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/u, 'must be sha256: and 64 digits')

/** The contents of definitions are checked when the manifest is verified, not here. */
const list = z.custom<readonly object[]>(
  (value) => Array.isArray(value) && value.every(hasMembers),
  'must be a list of definitions',
)

const manifest = z.looseObject({
  format: z.literal(MANIFEST_FORMAT),
  version: hash,
  digest: hash,
  tokenizer: z.string(),
  skills: list,
  toolsets: list,
  tools: list,
  globalTools: z.custom<readonly string[]>(Array.isArray, 'must be a list of hashes'),
  agents: list,
  rules: list,
  components: list,
  servers: list.exactOptional(),
})

/**
 * Checks that parsed JSON is a manifest. Only its outer shape is checked, in well under a millisecond.
 * Throws `MANIFEST_FORMAT` for a manifest of another format, `MANIFEST_INVALID` for anything else.
 */
export function readManifest(parsed: unknown): Manifest {
  const result = manifest.safeParse(parsed)
  if (result.success) return parsed as Manifest
  const format = hasMembers(parsed) && parsed['format']
  if (typeof format === 'number' && format !== MANIFEST_FORMAT) {
    throw new WorkspaceError('MANIFEST_FORMAT', `The manifest has the format ${format}.`, {
      facts: { format, known: [MANIFEST_FORMAT] },
      hint: 'Build it again with this version: loadout build.',
    })
  }
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  const where = field === '' ? '' : `, field "${field}"`
  throw new WorkspaceError(
    'MANIFEST_INVALID',
    `This is not a manifest${where}: ${issue?.message}.`,
    {
      facts: { field },
      hint: 'Use the file that "loadout build" wrote, parsed as JSON. For a Carnet manifest, use loadCarnet.',
    },
  )
}

/**
 * Verifies the hashes of a manifest. Every definition is defined again, as its author would, and must
 * have its stored hash. The version must be the hash of all definitions, and nothing else may differ
 * from what was built. Throws `MANIFEST_CHANGED` with the name of the first definition that differs,
 * or `MANIFEST_INVALID` for a record that is not a definition.
 */
export async function verifyManifest(manifest: Manifest): Promise<void> {
  const tools = new Map<ManifestTool, Tool>()
  const tool = (record: ManifestTool): Tool => {
    const known = tools.get(record)
    if (known !== undefined) return known
    const one = check('tool', record, () => bindTool(toolDefinition(record)))
    tools.set(record, one)
    return one
  }
  const valueOrName = (one: ManifestTool | string) => (typeof one === 'string' ? one : tool(one))
  const toolset = (record: ManifestToolset): Toolset =>
    check('toolset', record, () => {
      const { hash: _, ...spec } = record
      return defineToolset({ ...spec, tools: record.tools.map(valueOrName) })
    })
  const { version, components, rules } = manifest
  const found = catalogHash({
    skills: manifest.skills.map((record) =>
      check('skill', record, () => {
        const { hash: _, tokens: __, ...definition } = record
        const toolsets = record.toolsets.map((one) =>
          typeof one === 'string' ? one : toolset(one),
        )
        const readFile = () => Promise.reject(new Error('Files are not read during verification.'))
        return defineSkill({
          ...definition,
          tools: record.tools.map(valueOrName),
          toolsets,
          ...(record.files.length > 0 && { readFile }),
        })
      }),
    ),
    toolsets: manifest.toolsets.map(toolset),
    agents: manifest.agents.map((record) =>
      check('agent', record, () => {
        const { hash: _, ...definition } = record
        return defineAgent(definition)
      }),
    ),
    components: components.map(({ hash }) => hash),
    tools: manifest.tools.map(tool),
    rules: rules.map((record) => {
      const { hash, ...spec } = record
      return check('rules', { name: spec.topic, hash }, () => defineRules(spec))
    }),
    servers: (manifest.servers ?? []).map(({ hash, tools }) => ({
      hash,
      ...(tools && { listing: { tools: tools.map(tool), leftOut: [] } }),
    })),
  })
  if (found !== version) throw changed('version', 'Its version is not the hash of its definitions.')
  if (tryDigest(manifest) !== manifest.digest) {
    throw changed(
      'digest',
      'Its paths, provider schemas or token counts differ from those it was built with.',
    )
  }
}

/** Returns null for a manifest that cannot be hashed because it is nested too deeply. */
function tryDigest(manifest: Manifest): ContentHash | null {
  try {
    return manifestDigest(manifest)
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'NOT_JSON') return null
    throw error
  }
}

function check<T extends Hashed>(
  kind: string,
  record: Hashed & { readonly name: string },
  define: () => T,
): T {
  let defined: T
  try {
    defined = define()
  } catch (cause) {
    if (WorkspaceError.is(cause) && cause.code.startsWith('MANIFEST_')) throw cause
    const name = String(record.name)
    throw new WorkspaceError(
      'MANIFEST_INVALID',
      `The manifest's ${kind} "${name}" is invalid: ${cause instanceof Error ? cause.message : String(cause)}`,
      { facts: { kind, name }, hint: 'Build the manifest again: loadout build.', cause },
    )
  }
  if (defined.hash === record.hash) return defined
  throw changed(
    `${kind} ${record.name}`,
    `The ${kind} "${record.name}" is not the one that was built: its hash differs.`,
  )
}

function changed(what: string, message: string): WorkspaceError {
  return new WorkspaceError('MANIFEST_CHANGED', `The manifest was changed. ${message}`, {
    facts: { what },
    hint: 'Build it again from its sources: loadout build. Never edit it by hand.',
  })
}
