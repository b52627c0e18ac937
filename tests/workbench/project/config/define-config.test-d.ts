import { expectTypeOf, test } from 'vitest'
import {
  defineConfig,
  type LoadoutConfig,
} from '../../../../src/workbench/project/config/define-config.ts'
import { defineTool } from '../../../../src/tools/define-tool.ts'
import { z } from 'zod'

test('a configuration has the types of its definition', () => {
  const tool = defineTool({
    name: 't',
    description: 'T.',
    inputSchema: z.object({ n: z.number() }),
  })
  expectTypeOf(
    defineConfig({ skills: ['./skills'], agents: [{ name: 'a' }], tools: [tool], services: {} }),
  ).toEqualTypeOf<LoadoutConfig>()
})

test('a misspelt field does not compile', () => {
  // @ts-expect-error no such field
  expectTypeOf(defineConfig({ skill: ['./skills'] })).toEqualTypeOf<LoadoutConfig>()
  // @ts-expect-error an agent has a name
  expectTypeOf(defineConfig({ agents: [{ prompt: 'Help.' }] })).toEqualTypeOf<LoadoutConfig>()
})
