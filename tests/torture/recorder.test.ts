import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const BENCH = join(import.meta.dirname, '../../bench/recorder.ts')

test('between SDKs and their providers, watch changes nothing, writes no secret, and survives kills', () => {
  const words = [BENCH, '--requests', '300', '--kills', '10', '--seed', '7']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  // First, since it says why.
  expect(stdout).toMatch(/^(\d+) of \1 with equal bodies and fields$/mu)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
