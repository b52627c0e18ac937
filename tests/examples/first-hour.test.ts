import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outsideEnvironment, PROJECT } from '../../scripts/run-command.ts'

const example = join(PROJECT, 'examples/first-hour')
const page = readFileSync(join(PROJECT, 'docs/first-hour.md'), 'utf8')

/** The blocks of code of the page, each with the last name in backticks before it. */
const blocks = [...page.matchAll(/^(`{3,})(\w+)\n([^]*?)^\1$/gm)].map(
  ({ 2: kind, 3: text = '', index }) => ({
    kind,
    text,
    file: /`([\w-]+\.ts)`[^`]*$/.exec(page.slice(0, index))?.[1] ?? '',
  }),
)

/** What differs from one walk to the next. */
function steady(output: string): string {
  return output
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
    .replace(/\b[0-9a-f]{32}\b/g, '<question>')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/\bdurationMs: \d+/g, 'durationMs: <ms>')
    .replace(/\bafter \d+ ms\b/g, 'after <ms>')
}

/** Run a line of the page as its reader would, who works in `/home/ada/first-hour`. */
function typed(line: string, cwd: string): string {
  const [program = '', ...words] = line
    .replace(/^npx loadout /, 'node node_modules/loadout/bin/loadout.js ')
    .split(' ')
  const env = { ...outsideEnvironment(), HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_CACHE_HOME: cwd }
  const command = program === 'node' ? process.execPath : program
  const { stdout } = spawnSync(command, words, { cwd, env, encoding: 'utf8' })
  return `$ ${line}\n${stdout.replaceAll(cwd, '/home/ada/first-hour')}`
}

/** An empty folder in which the packages of the page are installed. */
function emptyFolder(folder: string): string {
  const cwd = realpathSync(folder)
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(PROJECT, join(cwd, 'node_modules/loadout'))
  for (const name of ['zod', 'ai']) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(cwd, 'node_modules', name))
  }
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  cpSync(join(example, 'scripted-model.ts'), join(cwd, 'scripted-model.ts'))
  return cwd
}

test('who does what the page of the first hour says sees what it shows', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-first-hour-'))
  const cwd = emptyFolder(folder.path)
  let lines = 0
  for (const { kind, file, text } of blocks) {
    if (kind === 'ts') writeFileSync(join(cwd, file), text)
    if (kind !== 'console') continue
    const told = text.match(/^\$ .*$/gm) ?? []
    const seen = told.map((line) => typed(line.slice(2), cwd)).join('')
    lines += told.length
    expect(steady(seen)).toBe(steady(text))
  }
  expect(lines).toBe(13)
})

test('the page shows the files of the example, each under 40 lines, and no others', () => {
  const shown = blocks.filter(({ kind }) => kind === 'ts')
  const files = globSync('*.ts', { cwd: example })
  expect([...shown.map(({ file }) => file), 'scripted-model.ts'].toSorted()).toEqual(
    files.toSorted(),
  )
  for (const { file, text } of shown) {
    expect(text).toBe(readFileSync(join(example, file), 'utf8'))
    expect(text.split('\n').length).toBeLessThan(40)
  }
})
