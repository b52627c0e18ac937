import { resolve } from 'node:path'
import { Option } from 'commander'
import type { ProjectOptions } from '../../project/folders/open-project.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonOption } from '../shell/common-options.ts'

/** What commands take that read a project as a whole, without a session. */
export interface ReadingOptions {
  readonly trust?: true
  readonly json?: true
  readonly verbose?: true
}

export interface BuildCommandOptions extends ReadingOptions {
  readonly out?: string
  readonly watch?: true
  readonly partial?: true
}

export function readingOptions(): readonly Option[] {
  return [
    new Option('--trust', 'run the configurations of these folders this once'),
    jsonOption(),
    new Option('--verbose', 'print everything in full'),
  ]
}

/** The paths that were meant, and how the project at them is read: never from the user's home. */
export async function readingOf(
  words: readonly string[],
  options: ReadingOptions,
  { cwd, trustFile }: Pick<CliContext, 'cwd' | 'trustFile'>,
): Promise<{ readonly paths: readonly string[]; readonly reading: ProjectOptions }> {
  const { openTrustStore } = await import('../../project/trust/trust-store.ts')
  return {
    paths: words.map((word) => resolve(cwd, word)),
    reading: {
      project: cwd,
      home: null,
      trustStore: openTrustStore(trustFile === undefined ? {} : { file: trustFile }),
      ...(options.trust === true && { trusted: true }),
    },
  }
}
