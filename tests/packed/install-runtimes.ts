import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { outsideEnvironment, PROJECT, runCommand } from '../../scripts/run-command.ts'

/** The part of esbuild that the tests use. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
}

/** The part of Miniflare that the tests use: it runs workerd. */
interface Miniflare {
  dispatchFetch(url: string): Promise<Response>
  dispose(): Promise<void>
}

/** The programs that the package is tried with, besides Node. */
export interface Runtimes {
  readonly bun: string
  readonly deno: string
  readonly esbuild: Esbuild
  readonly Miniflare: new (options: object) => Miniflare
}

const LISTED = join(PROJECT, 'scripts', 'runtimes')

const FOLDER = join(PROJECT, '.fetched', 'runtimes')

/** Installs the runtimes of `scripts/runtimes` in `.fetched`. For their size they are not dependencies of the project. */
export function installRuntimes(): Runtimes {
  const lock = readFileSync(join(LISTED, 'package-lock.json'), 'utf8')
  const installed = join(FOLDER, 'node_modules', '.installed-lock.json')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    cpSync(LISTED, FOLDER, { recursive: true })
    const { passed, output } = runCommand('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: FOLDER,
      env: outsideEnvironment(),
    })
    if (!passed) throw new Error(`npm ci of the runtimes failed:\n${output}`)
    writeFileSync(installed, lock)
  }
  const load = createRequire(join(FOLDER, 'package.json'))
  return {
    bun: join(FOLDER, 'node_modules/.bin/bun'),
    deno: join(FOLDER, 'node_modules/.bin/deno'),
    esbuild: load('esbuild'),
    Miniflare: load('miniflare').Miniflare,
  }
}
