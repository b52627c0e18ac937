import { defineConfig } from 'vitest/config'
import { ISOLATED, LONG, TESTS } from './tests/suites.ts'

/** Tests run on the sources; `loadout` resolves to the public entries, as it does for a user. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^loadout$/, replacement: `${import.meta.dirname}/src/entries/index.ts` },
      { find: /^loadout\/(.+)$/, replacement: `${import.meta.dirname}/src/entries/$1.ts` },
    ],
  },
  test: {
    maxWorkers: '100%',
    // Limits against a test that never ends. No test measures time with them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: TESTS,
          exclude: [...ISOLATED, ...LONG],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      { extends: true, test: { name: 'long', include: LONG } },
    ],
  },
})
