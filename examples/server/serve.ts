import { serve } from '@hono/node-server'
import { openPostgresLog } from 'loadout/postgres'
import pg from 'pg'
import { openChats } from './chats.ts'
import { createApp } from './create-app.ts'
import { scriptedModel } from './scripted-model.ts'
import { openShop } from './shop.ts'

// One server: DATABASE_URL=postgres://… PORT=3000 node examples/server/serve.ts. Start as many as you like.
const pool = openPool()
const log = await openPostgresLog(pool)
const chats = await openChats(pool, openPool())
const services = { shop: await openShop(pool) }
const app = createApp({ log, chats, services, model: scriptedModel() })
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
  console.log(`http://localhost:${port}`)
})

/** Connections that are lost while nobody uses them are made anew when somebody does. */
function openPool(): pg.Pool {
  const made = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
  return made.on('error', () => undefined)
}
