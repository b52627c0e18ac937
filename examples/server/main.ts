import { chatClient } from './chat-client.ts'
import { startDatabase, startServer } from './start-servers.ts'

// npm run example:server: two servers, and a user who does not notice that one of them dies half-way.
// With DATABASE_URL they use that database; without one, a database that goes when this ends.
const given = process.env['DATABASE_URL']
const database = given === undefined ? await startDatabase() : null
const url = given ?? database?.url ?? ''
const servers = [await startServer(url), await startServer(url)]
console.log(`servers: ${servers.map((server) => server.url).join(' and ')}`)

let isDead = false
const chat = `demo-${Date.now()}`
const ada = chatClient({
  chat,
  token: 'token-of-ada',
  servers: () => servers.map((server) => server.url),
  onEvent(event) {
    console.log(`  ${JSON.stringify(event)}`)
    if (event.type !== 'tool' || event.tool !== 'findOrder' || isDead) return
    isDead = true
    console.log('  (the server that answers is killed)')
    // The second one asked first.
    void servers[1]?.kill()
  },
})

console.log('ada: Money back for order 7, please.')
const asked = await ada.say('1', 'Money back for order 7, please.')
if (asked.type === 'question') {
  console.log(`ada says yes to ${asked.tool} ${JSON.stringify(asked.input)}`)
  await ada.decide(asked.confirmation, true)
}
console.log(JSON.stringify(await ada.read(), null, 2).slice(-300))
for (const server of servers) await server.kill()
await database?.stop()
