import { useSkills, WorkspaceProvider } from 'loadout/react'
import { createElement } from 'react'
// @ts-expect-error Its types are not installed.
import { renderToString } from 'react-dom/server'
import { open } from './loopback.ts'

function Skills() {
  return useSkills()
    .map(({ name, status }) => `${name}: ${status}`)
    .join()
}

const workspace = await open()
await workspace.activateSkill('sums')
console.log(
  JSON.stringify(
    renderToString(createElement(WorkspaceProvider, { workspace }, createElement(Skills))),
  ),
)
