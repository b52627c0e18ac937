import type { WorkspaceOptions } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { OpeningOptions, WorkspaceTools } from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { TrustStore } from '../../project/trust/trust-store.ts'
import type { SandboxSession } from '../../project/sandbox/sandbox-session.ts'

/**
 * Returns the tools for files, the shell and scripts that a command is to offer, all in one sandbox.
 *
 * Throws the error of a sandbox that cannot be opened here.
 */
export async function openWorkspaceTools(
  kinds: readonly WorkspaceTools[],
  { sandbox: kind, trust }: Pick<OpeningOptions, 'sandbox' | 'trust'>,
  trustStore: Pick<TrustStore, 'check'>,
  { cwd, onEnd }: Pick<CliContext, 'cwd' | 'onEnd'>,
): Promise<Pick<WorkspaceOptions, 'tools' | 'scripts'>> {
  if (kinds.length === 0) {
    if (kind === undefined) return {}
    throw wrongUsage(
      '--sandbox needs --tools.',
      'Add the tools that work in it, such as --tools files,shell, or leave out --sandbox.',
    )
  }
  const [{ fileTools }, { shellTool }, { openScriptRunner }] = await Promise.all([
    import('../../project/sandbox/file-tools.ts'),
    import('../../project/sandbox/shell-tool.ts'),
    import('../../project/scripts/open-script-runner.ts'),
  ])
  const sandbox = await openSandbox(kind ?? 'folder', cwd, onEnd)
  const has = (one: WorkspaceTools) => kinds.includes(one)
  return {
    tools: [
      ...(has('files') ? fileTools({ sandbox }) : []),
      ...(has('shell') ? [shellTool({ sandbox })] : []),
    ],
    ...(has('scripts') && {
      scripts: openScriptRunner({ trust: trust === true ? TRUSTED : trustStore, sandbox }),
    }),
  }
}

/** With `--trust`, the folders of this command are trusted. */
const TRUSTED: Pick<TrustStore, 'check'> = {
  check: (folder) =>
    Promise.resolve({ status: 'trusted', record: { folder, digest: textHash(''), files: [] } }),
}

async function openSandbox(
  kind: NonNullable<OpeningOptions['sandbox']>,
  folder: string,
  onEnd: CliContext['onEnd'],
): Promise<SandboxSession> {
  switch (kind) {
    case 'memory': {
      const { openMemorySandbox } = await import('../../project/sandbox/open-memory-sandbox.ts')
      return openMemorySandbox()
    }
    case 'fence': {
      const { openFencedSandbox } = await import('../../project/sandbox/open-fenced-sandbox.ts')
      const fence = await openFencedSandbox({ folder })
      onEnd(() => fence.close())
      return fence
    }
    case 'folder': {
      const { openFolderSandbox } = await import('../../project/sandbox/open-folder-sandbox.ts')
      return openFolderSandbox({ folder })
    }
  }
}
