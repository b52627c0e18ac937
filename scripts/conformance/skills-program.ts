import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer, readServerSkills } from 'loadout/mcp'

// The host of skills that the conformance suite runs: it lists the skills of the server, and loads each of them. It gets
// the address of the server as its argument, and the scenario in an environment variable.

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const server = mcpServer({ name: 'server', url: process.argv[2] ?? '' })
const listed = await readServerSkills(server)
const catalog = await createCatalog({ skills: listed.skills })
const workspace = await VirtualWorkspace.open({ catalog })

for (const { name, files } of listed.skills) {
  show(await workspace.callTool('loadSkill', { skillName: name }))
  // This scenario counts every file that is read.
  if (scenario.endsWith('no-prefetch')) continue
  for (const { path } of files) {
    show(await workspace.callTool('loadSkillFile', { skillName: name, path }))
  }
}
await workspace.close()
await listed.close()

function show(response: { readonly ok: boolean }): void {
  console.log(JSON.stringify(response))
}
