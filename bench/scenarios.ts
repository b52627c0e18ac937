import { createCatalog, defineSkill, defineTool } from 'loadout'
import { readScenario, runScenario } from 'loadout/testing'

/** `npm run bench:scenarios`: the time that scenarios take on the engine, one after the other. */
const SCENARIOS = 100

const skills = Array.from({ length: 20 }, (_, index) =>
  defineSkill({
    name: `skill-${index}`,
    description: `Does ${index}.`,
    instructions: 'Work with care. '.repeat(50),
    tools: [
      defineTool({ name: `tool_${index}`, description: `Does ${index}.`, execute: () => index }),
    ],
  }),
)

const catalog = await createCatalog({ skills })
const began = performance.now()
let passed = 0
for (let index = 0; index < SCENARIOS; index += 1) {
  const number = index % skills.length
  const read = readScenario(`scenario: 1
name: scenario ${index}
steps:
  - user: Do ${number}.
    model:
      - { call: loadSkill, with: { skillName: skill-${number} } }
      - { call: tool_${number} }
      - { text: Done. }
    expect: { ok: true, data: ${number}, exposed: [tool_${number}], tokens: 3000 }
  - deactivate: skill-${number}
    expect: { not-exposed: [tool_${number}] }
`)
  if (read.ok && (await runScenario(read.scenario, { catalog })).ok) passed += 1
}
const seconds = (performance.now() - began) / 1000
console.log(`${passed} of ${SCENARIOS} scenarios passed in ${seconds.toFixed(2)} s`)
process.exitCode = passed === SCENARIOS ? 0 : 1
