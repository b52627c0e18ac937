import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const PROJECT = join(import.meta.dirname, '..', '..')

/** Runs Carnet's own tests, in the folder of its clone, with `loadout/carnet` in place of its sources. */
export default defineConfig({
  root: process.cwd(),
  resolve: {
    alias: [
      { find: 'bun:test', replacement: 'vitest' },
      {
        find: /^\.\.\/\.\.\/src\/lib\/tools$/,
        replacement: join(import.meta.dirname, 'create-carnet-tools.ts'),
      },
      // Modules whose exports Carnet's package exports. A test of anything else cannot be loaded.
      {
        find: /^\.\.\/\.\.\/src\/lib(?:\/(?:index|types|prompt-generator|tool-registry|variable-injector))?$/,
        replacement: join(PROJECT, 'src', 'entries', 'carnet.ts'),
      },
    ],
  },
  test: { include: ['tests/**/*.test.ts'], testTimeout: 120_000, fileParallelism: false },
})
