import { generateText, isStepCount, tool } from 'ai'
import { Carnet } from 'loadout/carnet' // was: '@upstart.gg/carnet'
import { z } from 'zod'
import manifest from './carnet/carnet.manifest.json' with { type: 'json' }
import { scriptedModel } from './scripted-model.ts'

const carnet = new Carnet(manifest, { variables: { SHOP: 'the corner shop' } })

const domainTools = {
  findOrder: tool({
    description: 'Find an order by its number',
    inputSchema: z.object({ order: z.string() }),
    execute: async ({ order }) => ({ order, paid: 42, on: '2026-11-02' }),
  }),
  payBack: tool({
    description: 'Pay an order back',
    inputSchema: z.object({ order: z.string() }),
    execute: async ({ order }) => ({ order, paidBack: 42 }),
  }),
}

// A real project has a real model here; this one says what it is told to.
const model = scriptedModel(
  [
    { tool: 'findOrder', input: { order: '7' } },
    { tool: 'loadSkill', input: { skillName: 'refunds' } },
    'Order 7 was paid on 2 November; refunds are at hand now.',
    { tool: 'loadSkillFile', input: { skillName: 'refunds', path: 'guides/limits.md' } },
    { tool: 'payBack', input: { order: '7' } },
    'Order 7 was paid back.',
  ],
  (tools) => console.log(`offered: ${tools.join(', ')}`),
)

for (const prompt of ['How does order 7 stand?', 'Pay it back, please.']) {
  const { text } = await generateText({
    model,
    system: carnet.getSystemPrompt('support'),
    tools: carnet.getTools('support', { tools: domainTools }),
    prompt,
    stopWhen: isStepCount(3),
  })
  console.log(text)
}
console.log(`loaded: ${carnet.getDiscoveredSkills('support').join(', ')}`)
console.log(
  `warnings: ${carnet
    .getWarnings('support')
    .map(({ message }) => message)
    .join(' ')}`,
)

// What the change of the import brings: every user a session of their own, and a reason for everything.
const { fix } = carnet.session('another-user').workspace('support').explain('payBack')
console.log(`another user: ${fix}`)
