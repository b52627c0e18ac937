import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { findSkill, sanitiseLine } from '../../../entries/kit.ts'
import { openSession } from '../opening/open-session.ts'
import { markedLine } from '../../report/writers/change-line.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { changingOptions, type OpeningOptions } from '../shell/opening-options.ts'
import type { MomentDifference } from '../../report/facts/compare-moments.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** `loadout activate`: activate skills, and print the changes and their cost. */
export const activateCommand: CliCommand<OpeningOptions> = {
  name: 'activate',
  summary: 'Activate skills and print what changes and what it costs',
  description: `Activate skills in order, as the user, and print what changed in the tools and the prompt. If a skill is refused, the command ends with exit code 1; the skills before it stay active.

An argument is a path if it starts with a dot, contains a path separator, or exists on disk; otherwise it is a skill. With --path, every argument is a skill. Words after the name of a skill, in the same argument, are its own arguments ($ARGUMENTS in its text).

With --log, the session in the log is continued or created; with --at as well, the command works on a copy and saves nothing. The price is that of the next request: tools, instructions and conversation. It keeps so many tokens of the request that would have been sent before.`,
  arguments: '<skill...>',
  options: changingOptions,
  examples: [
    'loadout activate data-analysis web-reader examples/workbench --log run.sqlite',
    "loadout activate 'data-analysis sales by region' examples/workbench",
  ],
  run: ({ words, options, context }) =>
    changeSkills(words, options, context, async (workspace, skill) => {
      const { activateNamed } = await import('../../playground/chat/activate-named.ts')
      await activateNamed(workspace, skill, 'use')
    }),
}

/** `loadout accept`: accept the new definitions of active skills. */
export const acceptCommand: CliCommand<OpeningOptions> = {
  name: 'accept',
  summary: 'Accept the changed files of active skills in a session',
  description: `Accept the definitions that active skills of a stored session have on disk now, as the user, and print what changed in the tools and the prompt. Until then, a session that is continued shows nothing of a skill whose files changed, and its tools are off. If a skill is refused, such as one that did not change, the command ends with exit code 1.

Arguments are sorted into skills and paths as for "loadout activate".`,
  arguments: '<skill...>',
  options: changingOptions,
  examples: ['loadout accept data-analysis examples/workbench --log run.sqlite'],
  async run({ words, options, context }) {
    if (options.log === undefined && options.session === undefined) {
      throw wrongUsage(
        'No session is given.',
        'Give one: --log run.sqlite, or --session <id>. List them: loadout sessions list.',
      )
    }
    return changeSkills(words, options, context, async (workspace, skill) => {
      const found = findSkill(skill, workspace.catalog.skills)
      const name = found.ok ? found.name : skill
      ;(await workspace.acceptSkill(name, { by: 'user' })).orThrow()
    })
  },
}

/** Changes skills of a session in order, and prints what changed and what it costs. */
async function changeSkills(
  words: readonly string[],
  options: OpeningOptions,
  context: CliContext,
  change: (workspace: VirtualWorkspace, skill: string) => Promise<void>,
): Promise<0> {
  const { skills, paths } = await splitSkills(words, options.path !== undefined, context.cwd)
  const { workspace, counter } = await openSession(paths, options, context, 'change')
  const { captureMoment, differenceSince } = await import('../../report/facts/compare-moments.ts')
  const { seq } = workspace.state
  const before = await captureMoment(workspace)
  for (const skill of skills) await change(workspace, skill)
  const difference = await differenceSince(before, workspace, counter)
  const allowedTools = await allowedToolsSince(seq, workspace)
  if (options.json) {
    const { tools, document, request } = difference
    const sections = document.changes.map(({ id, title, before, after, kind }) => {
      return { id, title, before, after, kind }
    })
    context.stdout.write(jsonText({ ...tools, request, sections, allowedTools }))
  } else {
    await writeDifference(difference, context)
    for (const { skill, effect } of allowedTools) {
      context.stdout.write(`${sanitiseLine(`${skill}: ${effect}`)}\n`)
    }
  }
  await workspace.close()
  return 0
}

/** Writes the changed tools, then each changed section with its changed lines. */
async function writeDifference(
  { tools, document, request }: MomentDifference,
  context: CliContext,
): Promise<void> {
  const { requestChangeText, tokenChange } = await import('../../../entries/plan.ts')
  const say = (line: string) => context.stdout.write(`${line}\n`)
  for (const what of ['added', 'removed', 'changed'] as const) {
    for (const name of tools[what]) say(markedLine(what, `tool ${sanitiseLine(name)}`, context))
  }
  for (const { title, id, before, after, lines } of document.changes) {
    const head = `@ ${sanitiseLine(title)} (${sanitiseLine(id)}): ${tokenChange({ before, after }, '->')}`
    say(paint(head, 'bold', context))
    for (const { kind, text } of lines) {
      if (kind === 'same') continue
      // The text of a prompt is sanitised already.
      for (const line of text.replace(/\n$/, '').split('\n')) say(markedLine(kind, line, context))
    }
  }
  if (request !== null) say(requestChangeText(request, '->'))
}

/** Returns the effect of `allowed-tools` for each skill that was activated after an entry. */
async function allowedToolsSince(seq: number, { state, catalog }: VirtualWorkspace) {
  const { allowedToolsReason } = await import('../../../engine/explain/explain-skill.ts')
  const added = state.open.filter(({ source, since }) => source === 'skill' && since > seq)
  return added.flatMap((source) =>
    allowedToolsReason(source, state, { catalog }).map(({ text }) => ({
      skill: source.owner,
      effect: text,
    })),
  )
}

/**
 * Sorts arguments into skills and paths: a path starts with a dot, contains a separator or exists on
 * disk. With `--path`, every argument is a skill.
 */
export async function splitSkills(
  words: readonly string[],
  hasPathOption: boolean,
  cwd: string,
): Promise<{ readonly skills: readonly string[]; readonly paths: readonly string[] }> {
  const { splitArguments } = await import('../../playground/chat/activate-named.ts')
  const skills: string[] = []
  const paths: string[] = []
  for (const word of words) {
    const [first] = splitArguments(word)
    const isPath =
      !hasPathOption &&
      (word.startsWith('.') ||
        /[\\/]/.test(first) ||
        (await stat(resolve(cwd, word)).catch(() => null)) !== null)
    if (isPath) paths.push(word)
    else skills.push(word)
  }
  if (skills.length > 0) return { skills, paths }
  throw wrongUsage(
    `No skill is given: ${paths.map((path) => `"${path}"`).join(', ')} ${paths.length === 1 ? 'is a path' : 'are paths'}.`,
    'Give paths with --path; then every argument is a skill.',
  )
}
