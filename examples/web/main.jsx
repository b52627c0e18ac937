import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { useEntries, useSkills, useTools, useWorkspace, WorkspaceProvider } from 'loadout/react'
import { createRoot } from 'react-dom/client'

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
const catalog = await createCatalog({ skills: [stock] })
const workspace = await VirtualWorkspace.open({ catalog })

function Session() {
  const session = useWorkspace()
  const change = (name, isActive) =>
    isActive
      ? session.deactivateSkill(name, { by: 'user' })
      : session.activateSkill(name, { by: 'user' })
  const skills = useSkills().map(({ name, status }) => (
    <button key={name} onClick={() => change(name, status === 'active')}>
      {name}: {status}
    </button>
  ))
  const tools = useTools().map(({ name, status }) => <li key={name}>{`${name}: ${status}`}</li>)
  return (
    <>
      {skills}
      <ul>{tools}</ul>
      <p>{useEntries().length} entries</p>
    </>
  )
}

createRoot(document.querySelector('main')).render(
  <WorkspaceProvider workspace={workspace}>
    <Session />
  </WorkspaceProvider>,
)
