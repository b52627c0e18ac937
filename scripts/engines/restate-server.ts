import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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
export async function restateServer(
  project: EngineProject,
  folder: string,
): Promise<RestateServer> {
  const [ingress, admin, node, ...ports] = await freePorts(5)
  let turns = 0
  const balancer = createServer((socket) =>
    forward(socket, turns++ % 2 === 0 ? ports : ports.toReversed()),
  )
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  const binary = restateBinary(project)
  const output = openSync(join(folder, 'restate-output'), 'a')
  const child = spawn(
    binary,
    ['--base-dir', join(folder, 'restate'), '--node-name', 'n1', '--bind-ip', '127.0.0.1'],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      },
      stdio: ['ignore', output, output],
    },
  )
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

/** Returns the program itself: the one of the package starts it, and reports to its maker that it was installed. */
function restateBinary({ folder }: EngineProject): string {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  return createRequire(join(folder, 'package.json')).resolve(`${name}/bin/restate-server`)
}

async function freePorts(count: number): Promise<readonly number[]> {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(listeners.map((listener) => once(listener, 'listening')))
  const ports = listeners.map((listener) => (listener.address() as AddressInfo).port)
  await Promise.all(listeners.map((listener) => once(listener.close(), 'close')))
  return ports
}

/** Connects to the first of the ports at which somebody listens, and begins with another one each time. */
function forward(socket: Socket, ports: readonly number[]): void {
  const [port, ...others] = ports
  if (port === undefined) {
    socket.destroy()
    return
  }
  const worker = connect(port, '127.0.0.1')
  worker.once('connect', () => {
    socket.pipe(worker).pipe(socket)
    socket.once('close', () => worker.destroy())
    worker.once('close', () => socket.destroy())
  })
  worker.on('error', () => (worker.bytesWritten > 0 ? socket.destroy() : forward(socket, others)))
  socket.on('error', () => worker.destroy())
}

/** Calls a function until it does not reject, while the server runs. */
async function untilUp<Result>(
  child: ChildProcess,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const end = Date.now() + 30_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (child.exitCode !== null || Date.now() > end) throw error
      await delay(50)
    }
  }
}
