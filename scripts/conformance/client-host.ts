import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ClientScenario, runScenario } from './client-program.ts'

// The process in which the scenarios for clients run, each for a connection to the socket that its argument names. One
// process for each scenario would start all of them at once.

const server = createServer({ allowHalfOpen: true }, (socket) => {
  void text(socket)
    .then((given) => runScenario(JSON.parse(given) as ClientScenario))
    .then((results) => socket.end(results === null ? '' : `${results.join('\n')}\n`))
})
server.listen(process.argv[2], () => process.send?.('listens'))
process.once('disconnect', () => process.exit())
