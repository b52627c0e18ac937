import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { WorkspaceError } from '../../../../entries/index.ts'
import type { OpenSession } from '../../opening/open-session.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { OpeningOptions } from '../../shell/opening-options.ts'
import type { ScenarioDesk } from '../../../playground/context/scenario-desk.ts'
import { isInside } from '../../../project/walk/is-inside.ts'

/**
 * Returns the scenarios of the project of a session: those below its first path, or below the current folder. New ones
 * are written into the folder `scenarios` there.
 */
export async function scenarioDesk(
  session: Pick<OpenSession, 'paths' | 'project' | 'options'>,
  options: OpeningOptions,
  context: CliContext,
): Promise<ScenarioDesk> {
  const { cwd, trustFile } = context
  const { trust, maxDepth, maxFolders } = options
  // Scenarios run on the engine alone, also when a model of the options answers the person.
  const reading = {
    ...(trust && { trust }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...(maxFolders !== undefined && { maxFolders }),
  }
  const first = session.paths[0] ?? cwd
  const isFolder = (await stat(first).catch(() => null))?.isDirectory() === true
  const root = isFolder ? first : dirname(first)
  return {
    async record(workspace) {
      const [{ sessionAsScenario }, { openTrustStore }, { writeOwnFiles }, { makeFolder }] =
        await Promise.all([
          import('./print-scenario.ts'),
          import('../../../project/trust/trust-store.ts'),
          import('../../../project/trust/write-own-files.ts'),
          import('../../../project/walk/make-folder.ts'),
        ])
      // Definitions may have changed on disk since the project was read.
      const project = { ...session.project, catalog: workspace.catalog }
      const { scenario, unmet, expectations, text } = await sessionAsScenario(
        workspace,
        { ...session, project },
        options,
        context,
      )
      const folder = join(root, 'scenarios')
      makeFolder(folder)
      // Another project may trust what a link leads to.
      if (!isInside(await realpath(root), await realpath(folder))) {
        throw new WorkspaceError('PATH_OUTSIDE', `"${folder}" leads out of "${root}".`, {
          facts: { path: folder, folder: root },
          hint: 'Remove the link, then record again.',
        })
      }
      const file = await freeFile(folder, workspace.session, text)
      const store = openTrustStore(trustFile === undefined ? {} : { file: trustFile })
      await writeOwnFiles(new Map([[file, text]]), { sources: [root], store })
      return {
        file: relative(cwd, file),
        steps: scenario.steps.length,
        expectations,
        unmet: unmet.map(({ step, expectation, why }) => `step ${step}, ${expectation}. ${why}`),
      }
    },
    async test() {
      const [{ testPaths }, { testJudgement }, { problemLine }] = await Promise.all([
        import('./test-paths.ts'),
        import('./write-tests.ts'),
        import('../../../report/facts/judgement.ts'),
      ])
      const silent = { ...context, stdout: SILENT, stderr: SILENT }
      const tested = await testPaths([root], reading, silent)
      return tested.map((one) => ({
        name: one.name ?? one.file,
        ok: one.ok,
        lines: one.ok === true ? [] : testJudgement(one).problems.map(problemLine),
      }))
    },
  }
}

/** The screen has the terminal. */
const SILENT = { write: () => true }

/** Returns a file that is not there yet, or has this text already: a person may have changed the earlier ones. */
async function freeFile(folder: string, session: string, text: string): Promise<string> {
  // The id may be any text.
  const id = session.slice(0, 8).replaceAll(/[^\w-]/g, '_')
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`
    const file = join(folder, `recorded-${id}${end}.scenario.yaml`)
    const known = await readFile(file, 'utf8').catch(() => null)
    if (known === null || known === text) return file
  }
}
