import { defineConfig } from 'vitest/config'

/** Tests run on the sources; `loadout` resolves to the public entries, as it does for a user. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^loadout$/, replacement: `${import.meta.dirname}/src/entries/index.ts` },
      { find: /^loadout\/(.+)$/, replacement: `${import.meta.dirname}/src/entries/$1.ts` },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 20_000,
  },
})
