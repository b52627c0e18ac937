import { Box, Text, useInput, useWindowSize } from 'ink'
import { createElement, useState } from 'react'
import { expect, test } from 'vitest'
import { realScreen } from './real-screen.ts'

/** Shows what was typed and the size, in a box. */
function Typed() {
  const { columns, rows } = useWindowSize()
  const [typed, setTyped] = useState('')
  useInput((input, key) => setTyped((before) => before + (key.escape ? '<esc>' : input)))
  const text = createElement(Text, null, `${typed} ${columns}x${rows}`)
  return createElement(Box, { borderStyle: 'round', width: columns, height: rows - 1 }, text)
}

test('keys, also joined ones and a lone escape, are on the screen when press resolves', async () => {
  const { press, screen } = await realScreen(createElement(Typed), 20, 5)
  await press('jj')
  await press('\x1b')
  await press('k')
  expect(screen()).toContain('│jj<esc>k 20x5     │')
})

test('another size is drawn clean, and unmounting gives the screen back', async () => {
  const { resize, screen, unmount, input } = await realScreen(createElement(Typed), 30, 8)
  await resize(16, 4)
  expect(screen()).toBe('╭──────────────╮\n│ 16x4         │\n╰──────────────╯')
  await unmount()
  expect(screen()).toBe('')
  expect(input.rawModes).toEqual([true, false])
})

test('what comes later is waited for, and only changed lines are written', async () => {
  const { press, waitFor, bytes } = await realScreen(createElement(Typed), 80, 24)
  const before = bytes()
  const seen = waitFor('abc')
  await press('abc')
  await seen
  expect(bytes() - before).toBeGreaterThan(2)
  expect(bytes() - before).toBeLessThan(400)
})
