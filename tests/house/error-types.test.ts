import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { ERROR_TRAITS } from '../../src/tools/response/error-type.ts'

test('docs/handlers.md explains the consequences of every error type', () => {
  const page = readFileSync(join(PROJECT, 'docs', 'handlers.md'), 'utf8')
  const rows = page.matchAll(/^\| `([A-Z_]+)` *\|[^|]*\| (true|false) *\| (true|false) *\|/gm)
  const told = [...rows].map(([, type = '', retryable, partialSideEffects]) => [
    type,
    { retryable: retryable === 'true', partialSideEffects: partialSideEffects === 'true' },
  ])
  expect(Object.fromEntries(told)).toEqual(ERROR_TRAITS)
})
