import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig, type Plugin } from 'vitest/config'
import { shippedInk } from './scripts/bundle/shipped-ink.ts'
import { ISOLATED, LONG, PACKED, PLAYGROUND, TESTS } from './tests/suites.ts'

/** Files that the plugin below changes. */
const INK = /[\\/]node_modules[\\/]ink[\\/]build[\\/]/

/** Draws with Ink as it is published with the command. */
const INK_OF_THE_COMMAND: Plugin = {
  ...shippedInk(),
  // Before the resolver of the test runner.
  enforce: 'pre',
  // What is cached of Ink depends on the patch, too.
  configureVitest({ defineCacheKeyGenerator }) {
    const patch = readFileSync(`${import.meta.dirname}/scripts/bundle/ink.patch`, 'utf8')
    defineCacheKeyGenerator(() => patch)
  },
}

/** Tests run on the sources; `loadout` resolves to the public entries, as it does for a user. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^loadout$/, replacement: `${import.meta.dirname}/src/entries/index.ts` },
      { find: /^loadout\/(.+)$/, replacement: `${import.meta.dirname}/src/entries/$1.ts` },
    ],
  },
  test: {
    // One more than there are processors: many tests wait for a process, a server or a time limit.
    maxWorkers: availableParallelism() + 1,
    // The processes that tests start do not compile again what another one has compiled.
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/compiled` },
    // Limits for a test that never ends, not for one on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: TESTS,
          exclude: [...ISOLATED, ...LONG, ...PACKED, ...PLAYGROUND],
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [INK_OF_THE_COMMAND],
        test: {
          name: 'playground',
          include: PLAYGROUND,
          exclude: LONG,
          isolate: false,
          server: { deps: { inline: [INK] } },
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      {
        extends: true,
        plugins: [INK_OF_THE_COMMAND],
        test: {
          name: 'long',
          include: LONG,
          testTimeout: 1_200_000,
          server: { deps: { inline: [INK] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'packed',
          include: PACKED,
          globalSetup: 'tests/packed/pack-once.ts',
          testTimeout: 1_200_000,
        },
      },
    ],
  },
})
