import { Writable } from 'node:stream'
import { render } from 'ink'
import { Playground } from 'loadout/ink'
import { Pane } from 'loadout/ink-views'
import { Component, createElement, type ReactNode } from 'react'
import { open } from './loopback.ts'

let failed = ''

let written = ''

class Caught extends Component<{ readonly children: ReactNode }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(error: unknown): { readonly hasFailed: boolean } {
    failed = String(error)
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** Draws a tree until a text is on the screen, or it failed, and returns the text, or the failure. */
async function draw(tree: ReactNode, text: string): Promise<string> {
  written = failed = ''
  const stdout = new Writable({
    write(chunk, _, done) {
      written += String(chunk)
      done()
    },
  })
  const screen = Object.assign(stdout, { columns: 80, rows: 30 }) as unknown as NodeJS.WriteStream
  const options = { stdout: screen, debug: true, exitOnCtrlC: false, patchConsole: false }
  const app = render(createElement(Caught, null, tree), options)
  // oxlint-disable-next-line no-unmodified-loop-condition -- the component modifies it
  while (failed === '' && !written.includes(text)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  app.unmount()
  return failed || text
}

const workspace = await open()
const pane = createElement(Pane, { title: 'Sums', width: 30, height: 4 })
const drawn = [
  await draw(pane, 'Sums'),
  await draw(createElement(Playground, { workspace }), 'sums'),
]
console.log(JSON.stringify(drawn))
process.exit()
