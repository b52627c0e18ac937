import type { ContentHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import { readInputSchema, readOutputSchema } from '../schema/read-schema.ts'
import type { Tool, ToolDefinition } from './tool.ts'

/** A definition with the hash it was stored under. */
interface StoredDefinition extends ToolDefinition {
  readonly hash: ContentHash
}

/**
 * `bindTool` for a definition that was checked and hashed when it was stored, such as one of a
 * verified manifest: nothing is looked at again, and its schemas are read at the first call. It is
 * frozen in place, so it must be the caller's to give away.
 */
export function storedTool(definition: StoredDefinition, run?: NonNullable<Tool['run']>): Tool {
  const { inputSchema, outputSchema } = definition
  let input: Tool['parseInput'] | undefined
  let output: NonNullable<Tool['parseOutput']> | undefined
  return deepFreeze<Tool>({
    ...definition,
    parseInput(value) {
      input ??= readInputSchema(inputSchema).parse
      return input(value)
    },
    ...(outputSchema !== undefined && {
      parseOutput(value: unknown) {
        output ??= readOutputSchema(outputSchema).parse
        return output(value)
      },
    }),
    ...(run !== undefined && { run }),
  })
}
