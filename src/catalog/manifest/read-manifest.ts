import { z } from 'zod'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type Manifest, MANIFEST_FORMAT } from './manifest.ts'

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/u, 'must be sha256: and 64 digits')
/** What is in definitions is looked at when the manifest is verified, not here. */
const list = z.custom<readonly object[]>(isListOfObjects, 'must be a list of definitions')

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
})

/**
 * Take parsed JSON for a manifest: only its outer shape is looked at, in well under a millisecond.
 * Throws `MANIFEST_FORMAT` for one of another format, `MANIFEST_INVALID` for anything else.
 */
export function readManifest(parsed: unknown): Manifest {
  const result = manifest.safeParse(parsed)
  if (result.success) return parsed as Manifest
  const format = formatOf(parsed)
  if (typeof format === 'number' && format !== MANIFEST_FORMAT) {
    throw new WorkspaceError('MANIFEST_FORMAT', `The manifest has the format ${format}.`, {
      facts: { format, known: [MANIFEST_FORMAT] },
      hint: 'Build it again with this version: loadout build.',
    })
  }
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  const where = field === '' ? '' : `, field "${field}"`
  throw new WorkspaceError('MANIFEST_INVALID', `This is no manifest${where}: ${issue?.message}.`, {
    facts: { field },
    hint: 'Give what "loadout build" wrote, parsed as JSON. Carnet manifests are read by loadCarnet.',
  })
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
}

function formatOf(parsed: unknown): unknown {
  return typeof parsed === 'object' && parsed !== null && 'format' in parsed
    ? parsed.format
    : undefined
}
