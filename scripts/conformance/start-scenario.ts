import { connect } from 'node:net'

// The command that the suite starts for a scenario: it lets the process of `client-host.ts` run it. Its arguments are
// the socket of that process and the address of the server.

const [, , path = '', url] = process.argv
const { env } = process
const scenario = {
  name: env['MCP_CONFORMANCE_SCENARIO'],
  url,
  revision: env['MCP_CONFORMANCE_PROTOCOL_VERSION'],
  context: JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'),
}
const socket = connect(path)
socket.end(JSON.stringify(scenario))
// Without a result, the server was not attached.
process.exitCode = 1
socket.on('data', (results) => {
  process.exitCode = 0
  process.stdout.write(results)
})
