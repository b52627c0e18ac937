/**
 * Built by the tests that run it: a screen of its own for the tests of endings, on the terminal this program runs on:
 * it shows `ready`; `t` throws while drawing, `e` opens `$EDITOR` and shows what was written.
 */
import { Text, useInput } from 'ink'
import { createElement, useState } from 'react'
import { holdTerminal } from '../../../../src/workbench/playground/terminal/hold-terminal.tsx'

const terminal = holdTerminal({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  inline: false,
  mouse: true,
  screenReader: false,
  onMouse() {},
  onLine() {},
  close: async () => {},
})

function Screen() {
  const [shown, setShown] = useState('ready')
  useInput((input) => {
    if (input === 't') setShown('throw')
    if (input === 'q') terminal.actions.exit()
    if (input === 'e') {
      void terminal.actions.edit('before', '.txt').then((text) => setShown(`edited: ${text}`))
    }
  })
  if (shown === 'throw') throw new Error('thrown while drawing')
  return createElement(Text, null, shown)
}

await terminal.show(createElement(Screen)).catch(({ message }: Error) => {
  console.error(`failed: ${message}`)
  process.exitCode = 1
})
