import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/kernel/json-value.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'
import { readOutputSchema, type ReadSchema } from '../../src/schema/interpreter/read-schema.ts'

/** A program for `code-generation.test.ts`: prints the verdict and the issues of each case of the suite. */
const folder = join(import.meta.dirname, 'json-schema-test-suite', 'draft2020-12')
for (const name of readdirSync(folder)) {
  const groups: { schema: unknown; tests: { data: unknown }[] }[] = JSON.parse(
    readFileSync(join(folder, name), 'utf8'),
  )
  for (const { schema, tests } of groups) {
    const read = isObject(schema) ? readOrRefuse(schema) : undefined
    for (const { data } of tests) console.log(JSON.stringify(await read?.parse(data)))
  }
}

/** Returns undefined for a schema that no tool may have, such as one that refers to another document. */
function readOrRefuse(schema: Readonly<Record<string, unknown>>): ReadSchema | undefined {
  try {
    return readOutputSchema(schema)
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    return undefined
  }
}
