import { spawnSync } from 'node:child_process'
import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'

// Replaces the network of the agent: its sandbox is a folder, and its gateway has one model.

/** Stands for every model. The one that answers is set before the agent is called. */
export const gateway: { (): unknown; model?: unknown } = () => gateway.model

/** Connects to the folder of a sandbox. */
export async function connectSandbox({ sandboxId }: { readonly sandboxId: string }) {
  return {
    type: 'cloud',
    workingDirectory: sandboxId,
    access,
    mkdir,
    readdir,
    readFile,
    stat,
    writeFile,
    async exec(command: string, cwd: string) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })
      return { success: status === 0, exitCode: status, stdout, stderr, truncated: false }
    },
  }
}
