import { Box, render } from 'ink'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { Playground, PromptPane, SkillsPane, ToolsPane } from 'loadout/ink'
import { createElement } from 'react'

/** Two lists and the request of a session, with the keys of the playground. `q` leaves. */
const countStock = defineTool({
  name: 'count_stock',
  description: 'Count what is left of an article.',
  execute: () => ({ left: 3 }),
})
const stock = defineSkill({
  name: 'stock',
  description: 'Know what is left in the shop.',
  tools: [countStock],
})
const gifts = defineSkill({ name: 'gifts', description: 'Find a gift.' })

const catalog = await createCatalog({ skills: [stock, gifts] })
const workspace = await VirtualWorkspace.open({ catalog })

const panes = createElement(
  Box,
  null,
  createElement(
    Box,
    { flexDirection: 'column' },
    createElement(SkillsPane, { width: 40, height: 8 }),
    createElement(ToolsPane, { width: 40, height: 12 }),
  ),
  createElement(PromptPane, { width: 60, height: 20 }),
)
const screen = render(createElement(Playground, { workspace }, panes), { exitOnCtrlC: false })
await screen.waitUntilExit()
console.log(`Tools at the end: ${workspace.getAvailableTools().map(({ name }) => name)}`)
await workspace.close()
