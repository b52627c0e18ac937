import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installListed } from './install-listed.ts'

/** The part of esbuild that the tests use. */
interface Esbuild {
  build(
    options: object,
  ): Promise<{ readonly outputFiles: readonly { readonly path: string; readonly text: string }[] }>
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

/** Installs the runtimes of `scripts/runtimes`. */
export function installRuntimes(): Runtimes {
  const folder = installListed('runtimes')
  const load = createRequire(join(folder, 'package.json'))
  return {
    bun: join(folder, 'node_modules/.bin/bun'),
    deno: join(folder, 'node_modules/.bin/deno'),
    esbuild: load('esbuild'),
    Miniflare: load('miniflare').Miniflare,
  }
}
