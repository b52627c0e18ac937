import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { ISOLATED, LONG, PACKED, TESTS } from '../suites.ts'

test.each([...TESTS, ...ISOLATED, ...LONG, ...PACKED])('%s is there', (pattern) => {
  expect(globSync(pattern, { cwd: PROJECT })).not.toEqual([])
})

test('no file is in two suites, and none is only in a list', () => {
  const all = globSync(TESTS, { cwd: PROJECT })
  const named = [...ISOLATED, ...LONG, ...PACKED].flatMap((pattern) =>
    globSync(pattern, { cwd: PROJECT }),
  )
  expect(new Set(named).size).toBe(named.length)
  expect(named.filter((file) => !all.includes(file))).toEqual([])
})
