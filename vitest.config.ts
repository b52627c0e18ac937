import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ISOLATED, LONG, PACKED, TESTS } from './tests/suites.ts'

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
          exclude: [...ISOLATED, ...LONG, ...PACKED],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      { extends: true, test: { name: 'long', include: LONG, testTimeout: 1_200_000 } },
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
