import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CliCommand } from '../shell/cli-command.ts'
import { type ScreenOptions, screenOptions } from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { playCommand } from './play-command.ts'

/** `loadout demo`: three minutes with a small shop. */
export const demoCommand: CliCommand<ScreenOptions> = {
  name: 'demo',
  summary: 'Try the playground on a small shop, without a model, in three minutes',
  description:
    'Open the playground on a small shop with three skills, a rule and a question. A scripted model answers: nothing is sent ' +
    'anywhere, and nothing is stored. The last line says what to press next.',
  arguments: '',
  options: screenOptions,
  examples: ['loadout demo'],
  async run({ options, context }) {
    if (context.terminal === undefined || context.env['TERM'] === 'dumb') {
      throw wrongUsage('The demo needs a terminal.', 'Run it in one: loadout demo.')
    }
    const { createDemoGuide } = await import('../../playground/context/create-demo-guide.ts')
    const require = createRequire(import.meta.url)
    const shop = join(dirname(require.resolve('loadout/package.json')), 'examples', 'demo')
    const folder = await mkdtemp(join(tmpdir(), 'loadout-demo-'))
    context.onEnd(() => rm(folder, { recursive: true, force: true }))
    await playCommand.run({
      words: [shop],
      options: {
        ...options,
        trust: true,
        scenario: join(shop, 'refund.scenario.yaml'),
        log: join(folder, 'demo.sqlite'),
        session: 'demo',
        guide: createDemoGuide(),
      },
      // Nothing of the session is kept.
      context: { ...context, stdout: SILENT, stderr: SILENT },
    })
    context.stdout.write(NEXT)
    return 0
  },
}

const SILENT = { write: () => true }

const NEXT = `
Your own skills:          npx loadout init my-agent
What is in this folder:   npx loadout
The agent that you have:  npx loadout why <skill> --log claude-code
`
