import { expect, test } from 'vitest'
import { captureOutput } from '../../../../src/workbench/playground/terminal/terminal-output.ts'

function outputs() {
  let seen = ''
  const write = (text: unknown) => ((seen += String(text)), true)
  return { streams: { stdout: { write }, stderr: { write } }, seen: () => seen, write }
}

test('output of other code is kept off the screen until the end', () => {
  const { streams, seen, write } = outputs()
  const told: string[] = []
  const release = captureOutput(streams, (line) => told.push(line))
  console.log('from %s', 'console')
  console.error('an error')
  streams.stdout.write('one\ntwo\n')
  streams.stderr.write('three')
  process.emit('warning', Object.assign(new Error('old'), { name: 'DeprecationWarning' }))
  const lines = ['from console', 'an error', 'one', 'two', 'three', 'DeprecationWarning: old']
  expect(told).toEqual(lines)
  expect(seen()).toBe('')
  expect(release()).toEqual(lines)
  streams.stdout.write('after')
  expect(seen()).toBe('after')
  expect(streams.stdout.write).toBe(write)
})

test('everything is restored, and old lines are dropped', () => {
  const { streams } = outputs()
  const { console } = globalThis
  const warnings = process.listeners('warning')
  const release = captureOutput(streams, () => {})
  expect(globalThis.console).not.toBe(console)
  for (let line = 0; line < 500; line += 1) globalThis.console.log(line)
  const lines = release()
  expect(lines).toHaveLength(200)
  expect(lines.at(-1)).toBe('499')
  expect(globalThis.console).toBe(console)
  expect(process.listeners('warning')).toEqual(warnings)
})
