import { setImmediate, setTimeout } from 'node:timers/promises'
import { render } from 'ink'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { FakeInput, FakeOutput } from './fake-terminal.ts'

/** Longer than Ink waits for the rest of a sequence before it reads a lone escape as a key. */
const ESCAPE_MS = 30

/** A tree on the screen of a terminal, as the product shows it. */
export interface RealScreen {
  /** Keys as bytes, `'jj'` and `'\x1b[A'`; resolves when the frame they lead to is drawn. */
  press(keys: string): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  /** The visible screen: all rows, without trailing blanks. */
  screen(): string
  /** Resolves when the screen shows it: for what commands of their own time lead to. */
  waitFor(text: string | RegExp): Promise<void>
  /** Bytes written so far; take the difference around what is measured. */
  bytes(): number
  readonly input: FakeInput
  readonly output: FakeOutput
  unmount(): Promise<void>
}

/**
 * Draw a tree by Ink on a fake terminal, with the options of the product. It is taken down when
 * the test ends.
 */
export async function realScreen(
  tree: ReactNode,
  columns = 100,
  rows = 30,
  { inline = false, isSpoken = false, maxFps = 60 } = {},
): Promise<RealScreen> {
  const input = new FakeInput()
  const output = new FakeOutput(columns, rows)
  const instance = render(tree, {
    stdin: input,
    stdout: output,
    stderr: output,
    interactive: true,
    alternateScreen: !inline,
    incrementalRendering: !isSpoken,
    isScreenReaderEnabled: isSpoken,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps,
  })
  /** Until nothing is left to draw: state set by what was drawn is drawn, too. */
  const settle = async () => {
    for (let before = -1; before !== output.written.length;) {
      before = output.written.length
      // What changed in one turn of the event loop is drawn in the next.
      await setImmediate()
      await setImmediate()
      await instance.waitUntilRenderFlush()
    }
  }
  const unmount = async () => {
    instance.unmount()
    await instance.waitUntilExit()
  }
  onTestFinished(unmount)
  await settle()
  return {
    async press(keys) {
      input.push(keys)
      if (keys.endsWith('\x1b')) await setTimeout(ESCAPE_MS)
      await settle()
    },
    async resize(columns, rows) {
      output.resize(columns, rows)
      await settle()
    },
    screen: () => output.screen(),
    async waitFor(text) {
      const shows = () => {
        const screen = output.screen()
        return typeof text === 'string' ? screen.includes(text) : text.test(screen)
      }
      await settle()
      while (!shows()) await output.nextWrite()
    },
    bytes: () => Buffer.byteLength(output.written),
    input,
    output,
    unmount,
  }
}
