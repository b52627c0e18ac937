import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { scenarioSchema } from '../src/workbench/project/scenarios/read-scenario.ts'
import { directImports } from './bundle/direct-imports.ts'
import { joinedFiles } from './bundle/joined-files.ts'
import {
  LOG_WORKER,
  ownScreen,
  publishedFiles,
  shortened,
  staysOutside,
  thirdParty,
  VOCABULARY,
} from './bundle/own-screen.ts'
import { portable } from './bundle/portable.ts'
import { shippedInk } from './bundle/shipped-ink.ts'
import { zodKinds } from './bundle/zod-kinds.ts'

/**
 * `node scripts/build.ts`: joins the modules into the few files that are published, because Node finds, reads
 * and compiles each file separately.
 *
 * Dependencies stay outside, so that an application has one copy of each. Only the playground brings React
 * and Ink, and the token counter its vocabulary: see docs/decisions/0019-files-that-are-published.md.
 */
await build({
  input: {
    'cli/main': 'src/workbench/cli/main.ts',
    // Reads logs for a report, in processes of its own.
    [LOG_WORKER]: 'src/workbench/cli/commands/report/log-worker.ts',
    // Has a stable name, for the benches: they draw many frames in one process.
    'playground/load-playground': 'src/workbench/playground/load-playground.ts',
    // Replaces old names in the sources of a user: docs/upgrade.md.
    upgrade: 'scripts/upgrade/main.ts',
    [VOCABULARY]: 'src/workspace/open/o200k-vocabulary.ts',
    ...entries('src/entries'),
  },
  platform: 'node',
  external: staysOutside,
  plugins: [
    directImports(),
    ownScreen(),
    shippedInk(),
    portable(),
    zodKinds(),
    publishedFiles(),
    shortened(),
    thirdParty(),
  ],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: { groups: joinedFiles() },
    // The declarations have them, and editors read those.
    comments: { jsdoc: false },
  },
})

// Editors complete and check scenarios by it.
writeFileSync('dist/scenario.schema.json', `${JSON.stringify(scenarioSchema(), null, 2)}\n`)

function entries(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [`entries/${file.replace(/\.ts$/, '')}`, join(folder, file)]),
  )
}
