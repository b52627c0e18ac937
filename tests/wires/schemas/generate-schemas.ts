import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isObject, type JsonObject } from '../wire.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

const cache = join(modules, '.cache/loadout-wires')

/** Changes whenever the way in which schemas are generated changes. */
const GENERATION = 1

/** JSON Schemas by the name of their type. */
export type Schemas = Readonly<Record<string, JsonObject>>

/**
 * Returns the JSON Schemas of some types of a package's declarations. Every object is closed: a member that the types
 * do not name is refused.
 *
 * They are generated once for each version of the package and kept below `node_modules`. Generating needs a few
 * seconds; several processes may do it at the same time, and the last one to finish wins.
 */
export async function generateSchemas(
  packageName: string,
  declarations: string,
  types: readonly string[],
): Promise<Schemas> {
  const versions = [packageName, 'ts-json-schema-generator'].map((name) => versionOf(name))
  const key = createHash('sha256')
    .update(JSON.stringify([GENERATION, packageName, declarations, types, versions]))
    .digest('hex')
    .slice(0, 16)
  const file = join(cache, `${key}.json`)
  const kept = readKept(file)
  if (kept !== undefined) return kept
  const schemas = await generate(join(modules, packageName, declarations), types)
  mkdirSync(cache, { recursive: true })
  const unfinished = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(unfinished, JSON.stringify(schemas))
  renameSync(unfinished, file)
  return schemas
}

function readKept(file: string): Schemas | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Schemas
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function generate(path: string, types: readonly string[]): Promise<Schemas> {
  // Brings a TypeScript of its own; loaded only when there is something to generate.
  const { createFormatter, createParser, createProgram, DEFAULT_CONFIG, SchemaGenerator } =
    await import('ts-json-schema-generator')
  const config = {
    ...DEFAULT_CONFIG,
    path,
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: false,
    jsDoc: 'none',
  } as const
  const program = createProgram(config)
  const generator = new SchemaGenerator(
    program,
    createParser(program, config),
    createFormatter(config),
    config,
  )
  return Object.fromEntries(
    types.map((type) => {
      const schema: unknown = generator.createSchema(type)
      return [type, isObject(schema) ? schema : {}]
    }),
  )
}

function versionOf(packageName: string): string {
  const { version } = createRequire(import.meta.url)(
    join(modules, packageName, 'package.json'),
  ) as { version: string }
  return version
}
