import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCANNERS } from '../../bench/scanners.ts'
import { PROJECT } from '../../scripts/run-command.ts'

test.each(SCANNERS)('$name of $module, which a bench measures, reads a text', async (scanner) => {
  const { module, name, args } = scanner
  const exported = await import(/* @vite-ignore */ join(PROJECT, 'src', `${module}.ts`))
  expect(exported[name]).toBeTypeOf('function')
  expect(() => exported[name](...args('some-text'))).not.toThrow()
})
