import { WorkspaceError } from '../../../entries/index.ts'
import { didYouMean, nearestNames, placeText } from '../../../entries/kit.ts'
import { SHOWN_KINDS, showText } from './show-text.ts'
import { openCatalog, type OpenCatalog } from '../opening/open-catalog.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import {
  atOption,
  logOption,
  type OpeningOptions,
  readingOptions,
  sessionOption,
} from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { parseChoice } from '../shell/wrong-usage.ts'

/** `loadout show`: print one definition. */
export const showCommand: CliCommand<OpeningOptions> = {
  name: 'show',
  summary: 'Print one skill, tool, toolset, agent, component or set of rules',
  description:
    'Print one definition in full. If several have the name, such as tools of different skills, all of ' +
    'them are printed; "skill/tool" is the tool of one skill. Invisible and control characters are ' +
    `shown as codes, such as <U+202E>. With --log or --session, the definitions are those of a session.\n\nKinds: ${SHOWN_KINDS.join(', ')}.`,
  arguments: '<kind> <name> [paths...]',
  options: () => [...readingOptions(), logOption(), sessionOption(), atOption()],
  examples: ['loadout show skill data-analysis examples/workbench'],
  async run({ words: [word = '', name = '', ...paths], options, context }) {
    const kind = parseChoice(word, SHOWN_KINDS, 'kind of definition')
    const { shownDefinitions, shownNames } = await import('./shown-definitions.ts')
    let source: OpenCatalog
    if (options.log !== undefined || options.session !== undefined) {
      const { workspace, counter, project } = await openSession(paths, options, context)
      source = { ...project, catalog: workspace.catalog, counter }
    } else source = await openCatalog(paths, options, context, { home: true })
    const { definedMeans } = await import('../../project/folders/defined-means.ts')
    const means = kind === 'skill' ? await definedMeans(source, context.cwd) : source.catalog
    const found = shownDefinitions(kind, name, source, means)
    if (found.length === 0) {
      const broken = kind === 'skill' ? await brokenSkill(name, source) : undefined
      const unknown = kind === 'tool' ? await unknownTool(name, source) : undefined
      if (broken !== undefined) throw broken
      if (unknown !== undefined) throw unknown
      const known = shownNames(kind, source.catalog)
      throw new WorkspaceError('DEFINITION_UNKNOWN', `No ${kind} is named "${name}".`, {
        facts: { kind, name, known },
        hint: didYouMean(nearestNames(name, known), 'List all definitions: loadout list.'),
      })
    }
    if (options.json === true) context.stdout.write(jsonText(found))
    else context.stdout.write(found.map((one) => showText(one, context)).join('\n'))
    return 0
  },
}

/** Returns the error for a tool that exists as a file of code, and could not be read from it. */
async function unknownTool(
  name: string,
  { diagnostics }: OpenCatalog,
): Promise<WorkspaceError | undefined> {
  const { unknownTools } = await import('../../project/folders/load-tool-modules.ts')
  const found = unknownTools(diagnostics).find((one) => one.name === name.split('/').at(-1))
  if (found === undefined) return undefined
  const { file, message, hint } = found
  return new WorkspaceError('TOOL_UNREAD', `${message} (${file})`, { facts: { name, file }, hint })
}

/** Returns the error for a skill that exists and could not be loaded. */
async function brokenSkill(
  name: string,
  { catalog }: OpenCatalog,
): Promise<WorkspaceError | undefined> {
  const { VirtualWorkspace } = await import('../../../entries/index.ts')
  const workspace = await VirtualWorkspace.open({ catalog })
  const { unread } = workspace.skills().find((one) => one.name === name && one.unread) ?? {}
  const [error] = unread?.errors ?? []
  if (error?.file === undefined) return undefined
  const { file, message, hint } = error
  const place = placeText({ ...error, file })
  return new WorkspaceError('SKILL_BROKEN', `"${name}" could not be loaded: ${place}: ${message}`, {
    facts: { name, path: file },
    hint,
  })
}
