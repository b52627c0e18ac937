import { expect, test } from 'vitest'
import { runStep } from '../../scripts/run-step.ts'

test.each([
  { title: 'passes when it checked something', says: '12 files', status: 0, passed: true },
  { title: 'fails when it checked nothing', says: '0 files', status: 0, passed: false },
  { title: 'fails when it does not print how much', says: 'all good', status: 0, passed: false },
  { title: 'fails when its program fails', says: '12 files', status: 3, passed: false },
])('a step $title', async ({ says, status, passed }) => {
  const code = `console.log(${JSON.stringify(says)}); process.exitCode = ${status}`
  const report = await runStep({
    name: 'sample',
    command: process.execPath,
    args: ['--eval', code],
    amount: /(\d+) files/,
  })
  expect(report).toMatchObject({ name: 'sample', passed, output: `${says}\n` })
})

test('a step whose program does not exist fails and reports it', async () => {
  const report = await runStep({
    name: 'sample',
    command: 'no-such-program',
    args: [],
    amount: /(\d+)/,
  })
  expect(report.passed).toBe(false)
  expect(report.output).toContain('ENOENT')
})
