import { readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf } from '../../../entries/kit.ts'
import {
  type FolderSandbox,
  folderSandbox,
  type FolderSandboxOptions,
  SANDBOX_OPTIONS,
} from './open-folder-sandbox.ts'

/** Options of a sandbox behind a fence. */
export interface FencedSandboxOptions extends FolderSandboxOptions {
  /** Other folders that commands may read, such as that of an interpreter. */
  readonly read?: readonly string[]
  /** Hosts that commands may reach, such as `pypi.org`; none by default. One list for all sandboxes of a process. */
  readonly network?: readonly string[]
}

const OPTIONS: OptionsOf<FencedSandboxOptions> = {
  ...SANDBOX_OPTIONS,
  read: 'texts',
  network: 'texts',
}

/** The runtime of this process, while a fence is open: all fences have its list of hosts. */
interface OpenRuntime {
  readonly network: readonly string[]
  readonly ready: Promise<void>
  fences: number
}

let runtime: OpenRuntime | undefined

/** Settled once the processes of the previous runtime have ended. */
let previousEnded: Promise<void> = Promise.resolve()

/**
 * Opens a sandbox in a folder of the host whose commands are behind a fence of the system, by
 * `@anthropic-ai/sandbox-runtime`: they write in the folder alone, read it and the folders of the system, and reach
 * only the hosts that are named.
 *
 * Throws `SANDBOX_UNAVAILABLE` when the package, or a program that it needs, is not installed, and for root, who changes
 * settings of the kernel behind a fence, too. Commands never run without the fence. `close` ends it, and with the last
 * one its processes: until then they keep this process running.
 */
export async function openFencedSandbox(given: FencedSandboxOptions): Promise<FolderSandbox> {
  checkRecord(given, OPTIONS, 'folder')
  const { read = [], network = [], ...options } = given
  if (process.getuid?.() === 0) throw unavailableToRoot()
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime').catch(
    (cause: unknown) => {
      throw unavailable(['the package @anthropic-ai/sandbox-runtime'], cause)
    },
  )
  if (!SandboxManager.isSupportedPlatform()) throw unavailable(['a supported system'])
  const { errors } = SandboxManager.checkDependencies()
  if (errors.length > 0) throw unavailable(errors)
  const folder = realpathSync(resolve(options.folder))
  runtime ??= {
    network,
    ready: previousEnded.then(() => SandboxManager.initialize(configFor(folder, read, network))),
    fences: 0,
  }
  const own = runtime
  if (own.network.join('\n') !== network.join('\n')) throw otherNetwork(network, own.network)
  own.fences += 1
  const release = async () => {
    own.fences -= 1
    if (own.fences > 0) return
    runtime = undefined
    await (previousEnded = SandboxManager.reset())
  }
  await own.ready.catch(async (cause: unknown) => {
    await release()
    throw unavailable(['the runtime did not start'], cause)
  })
  let isClosed = false
  return folderSandbox(
    { ...options, folder },
    {
      wrap: (command, reads) => {
        if (isClosed) {
          throw new WorkspaceError('SANDBOX_UNAVAILABLE', 'The fence is closed.', {
            hint: 'Open another one with openFencedSandbox.',
          })
        }
        return SandboxManager.wrapWithSandbox(
          withOwnTemporaryFolder(command),
          undefined,
          configFor(folder, [...read, ...reads], network),
        )
      },
      close: async () => {
        if (isClosed) return
        isClosed = true
        await release()
      },
    },
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
      allowRead: [folder, programsOfRuntime(), ...read],
      allowWrite: [folder],
      denyWrite: [SHARED_TEMPORARY_FOLDER],
    },
  }
}

/** A folder that the package lets all commands write, also those of other fences. */
const SHARED_TEMPORARY_FOLDER = '/tmp/claude'

/** On Linux each command has an empty `/tmp` of its own, but the package names a folder in it that is not there. */
function withOwnTemporaryFolder(command: string): string {
  return process.platform === 'linux' ? `export TMPDIR=/tmp\n${command}` : command
}

/** Returns the folder of the programs that the package runs behind the fence, which is often below a hidden folder. */
function programsOfRuntime(): string {
  const main = createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime')
  return join(dirname(realpathSync(main)), '..', 'vendor')
}

function otherNetwork(network: readonly string[], opened: readonly string[]): WorkspaceError {
  const message = 'Another fence of this process reaches other hosts.'
  return new WorkspaceError('SANDBOX_UNSUPPORTED', message, {
    facts: { network, opened },
    hint: 'Give all of them the same "network", or close the other one first.',
  })
}

function unavailableToRoot(): WorkspaceError {
  const message = 'A fence cannot be opened here: the user is root.'
  return new WorkspaceError('SANDBOX_UNAVAILABLE', message, {
    facts: { missing: ['a user other than root'] },
    hint: 'Run as another user: root changes settings of the kernel behind a fence, too. Or use openMemorySandbox.',
  })
}

function unavailable(missing: readonly string[], cause?: unknown): WorkspaceError {
  const what = missing.join(', ')
  return new WorkspaceError('SANDBOX_UNAVAILABLE', `A fence cannot be opened here: ${what}.`, {
    facts: { missing },
    hint: 'Install what is missing (on Debian: apt install bubblewrap socat ripgrep), or use openMemorySandbox.',
    cause,
  })
}
