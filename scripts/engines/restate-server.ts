import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { EngineProject } from './engine-project.ts'

export interface RestateServer {
  /** The address for clients. */
  readonly ingress: string
  /** The ports that its two workers listen at. */
  readonly ports: readonly number[]
  /** Makes the workers known to it. */
  register(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server of Restate, with a balancer before the two workers: a deployment has one address. */
export async function restateServer(project: EngineProject, folder: string): Promise<RestateServer> {
  const [first, second, ingress, admin, node] = await freePorts(5)
  const ports = [first!, second!]
  const balancer = createServer((socket) => forward(socket, ports))
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  const binary = restateBinary(project)
  const output = openSync(join(folder, 'restate-output'), 'a')
  const child = spawn(binary, ['--base-dir', join(folder, 'restate'), '--node-name', 'n1', '--bind-ip', '127.0.0.1'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    },
    stdio: ['ignore', output, output],
  })
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    ports,
    async register() {
      const { port } = balancer.address() as AddressInfo
      const body = JSON.stringify({ uri: `http://127.0.0.1:${port}`, force: true })
      const response = await untilUp(child, () =>
        fetch(`http://127.0.0.1:${admin}/deployments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      )
      if (!response.ok) throw new Error(`Restate did not register: ${await response.text()}`)
    },
    async stop() {
      balancer.close()
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
