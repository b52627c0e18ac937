import { Option } from 'commander'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { SideDiff } from './compare-sides.ts'
import type { DiffOptions } from './diff-side.ts'
import {
  CHANGE_MARKS,
  changeLine,
  driftLine,
  fieldLines,
  markedLine,
  unifiedDiffLines,
} from '../../../report/writers/change-line.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import {
  logOption,
  pricingOptions,
  readingOptions,
  repeatable,
} from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { paint } from '../../../report/writers/paint.ts'
import { reportError } from '../../shell/report-error.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** `loadout diff`: compare two folders, manifests, locks, or sessions. */
export const diffCommand: CliCommand<DiffOptions> = {
  name: 'diff',
  summary: 'Compare definitions, tools, prompts and token counts',
  description:
    'Compare two folders, manifests, locks or sessions: their definitions with schemas and texts, the ' +
    'available tools, the prompt, and the tokens of the next request; for locks, the files.\n\n' +
    'A session is given by its id, or by a log that contains only one session. Append "@12" to compare ' +
    'its state after entry 12.\n\n' +
    'Exit codes: 0 no differences, 1 differences, 2 one side cannot be read.',
  arguments: '<a> <b>',
  options: () => [
    new Option('--agent <name>', 'Compare what this agent sees in folders and manifests'),
    repeatable('--path <path>', 'Read definitions that a log does not contain (repeatable)'),
    ...pricingOptions(),
    logOption(),
    ...readingOptions(),
  ],
  examples: [
    'loadout diff loadout.manifest.json examples/workbench --trust',
    'loadout diff run.jsonl@1 run.jsonl@1 --path examples/workbench',
    'loadout diff latest@2 latest',
  ],
  async run({ words, options, context }) {
    const [first, second, ...more] = words
    if (first === undefined || second === undefined || more.length > 0) {
      throw wrongUsage('"diff" needs exactly two arguments.', 'Usage: loadout diff <a> <b>.')
    }
    try {
      const [{ compareSides }, { readDiffSide }] = await Promise.all([
        import('./compare-sides.ts'),
        import('./diff-side.ts'),
      ])
      const a = await readDiffSide(first, options, context)
      const diff = await compareSides(a, await readDiffSide(second, options, context))
      if (options.json === true) context.stdout.write(jsonText(diff))
      else await writeDiff(diff, context)
      return diff.same ? 0 : 1
    } catch (error) {
      // Exit code 1 would mean that the two differ.
      reportError(error, options.json === true, context)
      return 2
    }
  },
}

/** Writes what differs, part by part. */
export async function writeDiff(
  diff: SideDiff,
  context: Pick<CliContext, 'stdout' | 'colour'>,
): Promise<void> {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const { same, files, definitions, tools, prompt, request, tokenizer } = diff
  if (same) {
    say('No differences.')
    return
  }
  for (const drift of files ?? []) say(driftLine(drift, context))
  if (files?.length === 0) say('The files are the same, but the catalogs made from them differ.')
  for (const change of definitions ?? []) {
    say(changeLine(change, context))
    for (const line of fieldLines(change.fields, context)) say(line)
  }
  if (tools !== null && tools.length > 0) {
    say(paint('Available tools:', 'bold', context))
    for (const { name, what, fields, tokens } of tools) {
      const price = `${tokens.before} -> ${tokens.after} tokens`
      say(markedLine(what, `${sanitiseLine(name)} (${price})`, context))
      // Otherwise the fields are listed with the definition.
      if (definitions === null) for (const line of fieldLines(fields, context)) say(line)
    }
  }
  if (request !== null) {
    const { requestChangeText } = await import('../../../../entries/plan.ts')
    const price = requestChangeText(request, '->')
    say(paint(`Next ${price} (${tokenizer ?? ''})`, 'bold', context))
  }
  if (prompt === null) return
  for (const { kind, title, before: was, after: is, lines } of prompt.changes) {
    say(markedLine(kind, `${sanitiseLine(title)} (${was} -> ${is} tokens)`, context))
    for (const { kind: side, text } of kind === 'changed' ? lines : []) {
      if (side === 'same') continue
      const marked = text.trimEnd().replaceAll(/^/gm, CHANGE_MARKS[side])
      for (const line of unifiedDiffLines(marked, context)) say(line)
    }
  }
}
