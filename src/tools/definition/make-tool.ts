import { contentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkDefinition } from './check-definition.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import { readInputSchema, readOutputSchema, type ReadSchema } from '../schema/read-schema.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { Tool } from './tool.ts'

/** What a tool is made of: its fields, the sources of its schemas, and its functions. */
export interface ToolParts {
  /** All but the schemas; looked at one by one. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly input: SchemaSource
  readonly output: SchemaSource | undefined
  readonly functions: Pick<Tool, 'run' | 'extract' | 'timeoutMs' | 'retries'>
}

/** Check the parts, read the schemas, hash the definition; the tool is frozen throughout. */
export function makeTool({ fields, input, output, functions }: ToolParts): Tool {
  const tool = fields['name']
  const readInput = blame(tool, 'input', () => readInputSchema(input))
  const readOutput =
    output === undefined ? undefined : blame(tool, 'output', () => readOutputSchema(output))
  const definition = checkDefinition({
    ...fields,
    inputSchema: readInput.jsonSchema,
    outputSchema: readOutput?.jsonSchema,
  })
  return deepFreeze<Tool>({
    ...definition,
    hash: contentHash(definition),
    parseInput: readInput.parse,
    ...(readOutput !== undefined && { parseOutput: readOutput.parse }),
    ...functions,
  })
}

/** The error of a schema, with the tool and the field it belongs to. */
function blame(tool: unknown, field: 'input' | 'output', read: () => ReadSchema): ReadSchema {
  try {
    return read()
  } catch (cause) {
    if (!WorkspaceError.is(cause)) throw cause
    const { code, message, facts, hint } = cause
    throw new WorkspaceError(code, `Tool "${String(tool)}", ${field}: ${message}`, {
      facts: { ...facts, tool, field },
      hint,
      cause,
    })
  }
}
