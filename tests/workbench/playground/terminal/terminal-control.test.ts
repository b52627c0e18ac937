import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  createRestore,
  createTerminalControl,
  openInEditor,
} from '../../../../src/workbench/playground/terminal/terminal-control.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'

function aTerminal(alternateScreen: boolean) {
  const done: string[] = []
  return {
    done,
    alternateScreen,
    writeSync: (text: string) => void done.push(text),
    setRawMode: (isRaw: boolean) => void done.push(`raw ${isRaw}`),
  }
}

test('mouse, drawing and paste modes go off, lines are broken again, the cursor is shown, raw mode ends; once', () => {
  const terminal = aTerminal(true)
  const restore = createRestore(terminal)
  restore()
  restore()
  expect(terminal.done).toEqual([
    '\x1b[?1006l\x1b[?1000l\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l\x1b[?7h',
    'raw false',
  ])
})

test('an inline screen does not leave the alternate screen', () => {
  const terminal = aTerminal(false)
  createRestore(terminal)()
  expect(terminal.done[0]).not.toContain('1049')
})

test('of a closed window everything that still can be is restored', () => {
  const terminal = aTerminal(true)
  const restore = createRestore({
    ...terminal,
    writeSync() {
      throw Object.assign(new Error('write EIO'), { code: 'EIO' })
    },
  })
  expect(restore).not.toThrow()
  expect(terminal.done).toEqual(['raw false'])
})

test.runIf(process.platform !== 'win32').each([
  ['vim', 7, '+7|a file.ts'],
  ['vim -R', 7, '-R|+7|a file.ts'],
  ['nano', 7, '+7|a file.ts'],
  ['code --wait', 7, '--wait|--goto|a file.ts:7'],
  ['hx', 7, 'a file.ts:7'],
  ['vim', undefined, 'a file.ts'],
  ['my-editor', 7, 'a file.ts'],
])('the editor "%s" opens a file at line %s: %s', async (editor, line, words) => {
  const folder = await temporaryFolder()
  const [name = '', ...options] = editor.split(' ')
  const seen = join(folder, 'seen')
  await writeFile(join(folder, name), `#!/bin/sh\n(IFS='|'; printf '%s' "$*") > "${seen}"\n`)
  await chmod(join(folder, name), 0o755)
  const env = { EDITOR: [join(folder, name), ...options].join(' ') }
  const suspend = (program: () => Promise<void>) => program()
  expect(await openInEditor({ file: join(folder, 'a file.ts'), line, env, suspend })).toBe(true)
  expect((await readFile(seen, 'utf8')).replaceAll(`${folder}/`, '')).toBe(words)
})

test.runIf(process.platform !== 'win32').each(['-c evil.md', '+!evil', '--remote'])(
  'a file that is named "%s" is no option of an editor',
  async (file) => {
    const folder = await temporaryFolder()
    const seen = join(folder, 'seen')
    await writeFile(join(folder, 'vim'), `#!/bin/sh\nprintf '%s' "$1" > "${seen}"\n`)
    await chmod(join(folder, 'vim'), 0o755)
    const env = { EDITOR: join(folder, 'vim') }
    await openInEditor({ file, env, suspend: (program) => program() })
    expect(await readFile(seen, 'utf8')).toBe(resolve(file))
  },
)

test('a text goes to the clipboard of the terminal by OSC 52, and not before the screen is there', () => {
  let written = ''
  const control = createTerminalControl({
    env: {},
    mouse: false,
    wrap: true,
    write: (text) => (written += text),
    stopProcess: async () => {},
  })
  expect(control.copy('early')).toBe(false)
  control.attach({ exit() {}, suspendTerminal: async () => ({ resume: async () => {} }) })
  expect(control.copy('ein Öl \x1b]')).toBe(true)
  expect(written.startsWith('\x1b]52;c;')).toBe(true)
  expect(written.endsWith('\x07')).toBe(true)
  const data = written.slice('\x1b]52;c;'.length, -1)
  expect(Buffer.from(data, 'base64').toString()).toBe('ein Öl \x1b]')
})
