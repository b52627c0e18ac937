import { z } from 'zod'
import type { CarnetApp } from './carnet-manifest.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import { parseJson } from '../../../skills/parse/parse-json.ts'

/** A `carnet.config.json` as it was read: what it does not say has Carnet's default. */
export interface CarnetConfig {
  readonly app: CarnetApp
  readonly variables: Readonly<Record<string, string>>
  /** Beginnings of the names of environment variables that prompts may hold. */
  readonly envPrefix: readonly string[]
  /** Globs of files or folders that are read; none means all. */
  readonly include: readonly string[]
  /** Globs of files or folders that are not read. */
  readonly exclude: readonly string[]
  /** Where `carnet.manifest.json` is written; null when nothing is said. */
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

/** Text read as a list of one, as commands take it. */
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

/** Read the text of a `carnet.config.json`, field by field: one that is wrong has no effect. */
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
    const { key, value } = splitAssignment(one)
    variables[key] = value
  }
  return variables
}

/** `KEY=value` at its first `=`: `URL=a=b` is the value `a=b`. Without any, the value is empty. */
function splitAssignment(text: string): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=')
  return at < 0
    ? { key: text.trim(), value: '' }
    : { key: text.slice(0, at).trim(), value: text.slice(at + 1) }
}
