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
export interface Miniflare {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>
  dispose(): Promise<void>
}

/** How the bundler of workerd picks the files of packages: those for browsers where they have any. */
const FOR_WORKERD = { platform: 'browser', conditions: ['workerd', 'worker', 'browser'] } as const

const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom("/")'

/**
 * Returns a module with all that it imports, for a program, for workerd with its modules of Node, or for a runtime without
 * any. CommonJS packages in the first two require modules of the runtime.
 *
 * @param nodePaths folders of further packages
 */
export async function bundle(
  { esbuild }: Pick<Runtimes, 'esbuild'>,
  folder: string,
  module: string,
  target:
    { readonly platform: 'node'; readonly external: readonly string[] } | 'workerd' | 'browser',
  nodePaths: readonly string[] = [],
): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [module],
    bundle: true,
    write: false,
    format: 'esm',
    ...(target !== 'browser' && { external: ['node:*'], banner: { js: REQUIRE } }),
    ...(typeof target === 'string' ? FOR_WORKERD : target),
    nodePaths,
    // Ink's tools for debugging are not installed, and never loaded: any module takes their place.
    alias: { 'react-devtools-core': './use.mjs' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** The programs that the package is tried with, besides Node. */
export interface Runtimes {
  readonly bun: string
  readonly deno: string
  readonly esbuild: Esbuild
  /** The folder of their packages. */
  readonly packages: string
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
    packages: join(folder, 'node_modules'),
    Miniflare: load('miniflare').Miniflare,
  }
}
