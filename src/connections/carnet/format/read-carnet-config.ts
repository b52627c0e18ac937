import * as z from 'zod'
import type { Diagnostic } from '../../../entries/index.ts'
import { Findings } from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import type { CarnetApp } from './carnet-manifest.ts'

/** The content of a `carnet.config.json`; absent fields have Carnet's defaults. */
export interface CarnetConfig {
  readonly app: CarnetApp
  readonly variables: Readonly<Record<string, string>>
  /** Prefixes of the environment variables that prompts may contain. */
  readonly envPrefix: readonly string[]
  /** Globs of files or folders to read; all when empty. */
  readonly include: readonly string[]
  /** Globs of files or folders to skip. */
  readonly exclude: readonly string[]
  /** Path to write `carnet.manifest.json` to; null by default. */
  readonly output: string | null
}

export const NO_CARNET_CONFIG: CarnetConfig = {
  app: { globalInitialSkills: [], globalSkills: [] },
  variables: {},
  envPrefix: [],
  include: [],
  exclude: [],
  output: null,
}

const text = z.string('must be text')

const texts = z.array(text, 'must be a list of texts')

/** A list of texts. A single text counts as a list of one, as in commands. */
const listed = z.union([texts, text.transform((one) => [one])], 'must be a list of texts')

const FIELDS = {
  app: z
    .object({ globalInitialSkills: texts.optional(), globalSkills: texts.optional() })
    .transform(({ globalInitialSkills = [], globalSkills = [] }) => ({
      globalInitialSkills,
      globalSkills,
    })),
  variables: z.union(
    [z.record(text, text), z.array(text.includes('=')).transform(assignments)],
    'must be an object of texts, or a list of KEY=value',
  ),
  envPrefix: listed,
  include: listed,
  exclude: listed,
  output: text.min(1, 'must not be empty'),
} as const

/** Reads the text of a `carnet.config.json`, field by field. An invalid field has no effect. */
export function readCarnetConfig(
  source: string,
  file: string,
): { readonly config: CarnetConfig; readonly diagnostics: readonly Diagnostic[] } {
  const findings = new Findings(file)
  const parsed = parseJson(source, findings)
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(parsed?.value ?? {})) {
    if (key === '$schema' || key === 'schema') continue
    const place = parsed?.places.get(key)
    if (!Object.hasOwn(FIELDS, key)) {
      findings.add(
        'warning',
        'unknown-field',
        `The field "${key}" is not known and has no effect.`,
        `The fields are ${Object.keys(FIELDS).join(', ')}.`,
        place,
      )
      continue
    }
    const checked = FIELDS[key as keyof typeof FIELDS].safeParse(value)
    if (checked.success) values[key] = checked.data
    else {
      findings.add(
        'error',
        'config-field',
        `The field "${key}" ${checked.error.issues[0]?.message ?? 'is wrong'}; it has no effect.`,
        'Correct it.',
        place,
      )
    }
  }
  return { config: { ...NO_CARNET_CONFIG, ...values }, diagnostics: findings.list }
}

function assignments(list: readonly string[]): Record<string, string> {
  const variables: Record<string, string> = Object.create(null)
  for (const one of list) {
    // At the first one: `URL=a=b` is the value `a=b`.
    const at = one.indexOf('=')
    variables[one.slice(0, at).trim()] = one.slice(at + 1)
  }
  return variables
}
