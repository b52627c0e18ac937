import { readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import {
  type FolderSandbox,
  folderSandbox,
  type FolderSandboxOptions,
} from './open-folder-sandbox.ts'

/** Options of a sandbox behind a fence. */
export interface FencedSandboxOptions extends FolderSandboxOptions {
  /** Other folders that commands may read, such as that of an interpreter. */
  readonly read?: readonly string[]
  /** Hosts that commands may reach, such as `pypi.org`; none by default. One list for all sandboxes of a process. */
  readonly network?: readonly string[]
}

/** The hosts that commands of this process may reach. */
let openedNetwork: readonly string[] | undefined

/**
 * Opens a sandbox in a folder of the host whose commands are behind a fence of the system, by
 * `@anthropic-ai/sandbox-runtime`: they write in the folder alone, read it and the folders of the system, and reach
 * only the hosts that are named.
 *
 * Throws `SANDBOX_UNAVAILABLE` when the package, or a program that it needs, is not installed. Commands never run
 * without the fence.
 */
export async function openFencedSandbox({
  read = [],
  network = [],
  ...options
}: FencedSandboxOptions): Promise<FolderSandbox> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime').catch(
    (cause: unknown) => {
      throw unavailable(['the package @anthropic-ai/sandbox-runtime'], cause)
    },
  )
  if (!SandboxManager.isSupportedPlatform()) throw unavailable(['a supported system'])
  const { errors } = SandboxManager.checkDependencies()
  if (errors.length > 0) throw unavailable(errors)
  const folder = realpathSync(resolve(options.folder))
  if (openedNetwork === undefined) {
    openedNetwork = network
    await SandboxManager.initialize(configFor(folder, read, network))
  } else if (openedNetwork.join('\n') !== network.join('\n')) {
    throw new WorkspaceError(
      'SANDBOX_UNSUPPORTED',
      'Another fence of this process reaches other hosts.',
      {
        facts: { network, opened: openedNetwork },
        hint: 'Give all of them the same "network".',
      },
    )
  }
  return folderSandbox({ ...options, folder }, (command, reads) =>
    SandboxManager.wrapWithSandbox(
      command,
      undefined,
      configFor(folder, [...read, ...reads], network),
    ),
  )
}

/** Folders of systems, in which programs are. Commands read nothing below other folders of the root. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set(
  (
    'bin boot dev etc lib lib32 lib64 libx32 opt proc sbin sys usr nix ' +
    'System Library Applications private cores'
  ).split(' '),
)

function configFor(folder: string, read: readonly string[], network: readonly string[]) {
  const others = readdirSync('/').filter((name) => !OF_THE_SYSTEM.has(name))
  return {
    network: { allowedDomains: [...network], deniedDomains: [], strictAllowlist: true },
    filesystem: {
      denyRead: [...others.map((name) => `/${name}`), homedir()],
      allowRead: [folder, ...read],
      allowWrite: [folder],
      denyWrite: [],
    },
  }
}

function unavailable(missing: readonly string[], cause?: unknown): WorkspaceError {
  const what = missing.join(', ')
  return new WorkspaceError('SANDBOX_UNAVAILABLE', `A fence cannot be opened here: ${what}.`, {
    facts: { missing },
    hint: 'Install what is missing (on Debian: apt install bubblewrap socat ripgrep), or use openMemorySandbox.',
    cause,
  })
}
