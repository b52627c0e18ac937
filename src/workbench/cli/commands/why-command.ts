import { Option } from 'commander'
import { openSession } from '../opening/open-session.ts'
import {
  type AsClientOptions,
  asClientOptions,
  clientListings,
} from '../opening/client-listings.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { type OpeningOptions, openingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'

/** `loadout why`: explain the status of a tool or skill, and what would change it. */
export const whyCommand: CliCommand<
  OpeningOptions & AsClientOptions & { readonly skill?: true; readonly tool?: true }
> = {
  name: 'why',
  summary: 'Explain why a tool or a skill can or cannot be used',
  description:
    'Explain the status of a tool, given by its name or as owner/name, or of a skill, given by its id, alias or display name. "#3" refers to entry 3 of the session log, which the reason comes from. For a name that only something on disk has, such as a skill in a folder that is not searched, it says where, why it is not loaded, and what to do. With --as it says what other clients make of the skill, in one column each. The exit code is 1 if no tool or skill has the name.',
  arguments: '<name> [paths...]',
  options: () => [
    ...openingOptions(),
    new Option('--skill', 'Take the name as a skill').conflicts('tool'),
    new Option('--tool', 'Take the name as a tool'),
    ...asClientOptions(),
  ],
  examples: ['loadout why query_table examples/workbench', 'loadout why init --as all'],
  async run({ words: [name = '', ...paths], options, context }) {
    if (options.as !== undefined) {
      const listings = await clientListings(paths[0], options.as, options, context)
      const { skillInClients, skillInClientsReport } =
        await import('../../report/facts/skill-in-clients.ts')
      const found = skillInClients(name, listings)
      if (options.json) context.stdout.write(jsonText(found))
      else printReport(skillInClientsReport(name, found), context)
      return found.every(({ outcome }) => outcome === 'not found') ? 1 : 0
    }
    const session = await openSession(paths, options, context)
    const only = options.skill ? 'skill' : options.tool ? 'tool' : null
    const { workspace, fromLog } = session
    const [{ explainName, explanationReport }, { observeNames }] = await Promise.all([
      import('../../report/answers/explain-name.ts'),
      import('./play/print-snapshot.ts'),
    ])
    const explained = await explainName(name, only, {
      workspace,
      entries: () => workspace.entries(),
      observe: observeNames(context.home),
      disk: fromLog ? null : session,
    })
    const { verdict, history } = explained
    if (options.json) {
      context.stdout.write(jsonText(history.requests > 0 ? { ...verdict, history } : verdict))
    } else printReport(explanationReport(explained, workspace), context)
    const { outcome } = verdict.observed ?? { outcome: 'not found' }
    const isNowhere = outcome === 'not found' || outcome === 'not sent'
    return verdict.status === 'unknown' && isNowhere ? 1 : 0
  },
}
